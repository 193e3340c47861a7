package dev.statectl.cli;

/** A process that asks for a secret and says how long it is. */
final class SecretOnTerminal {
  private SecretOnTerminal() {}

  public static void main(String[] args) {
    String secret = new ConsoleTerminal(System.in, System.err).askSecret("Password: ");
    System.err.println(secret == null ? "none" : secret.length() + " characters");
  }
}
