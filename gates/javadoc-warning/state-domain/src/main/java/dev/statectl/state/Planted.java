package dev.statectl.state;

/** Planted: a public method that does not say what it returns. */
public final class Planted {
  private Planted() {}

  /** Gives the answer. */
  public static int answer() {
    return 42;
  }
}
