package dev.statectl.clickhouse;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.time.Duration;
import java.util.List;

/** Judges the server and the way to it. */
final class ServerFindings {
  private static final Duration SLOW = Duration.ofMillis(100);
  private static final Duration VERY_SLOW = Duration.ofSeconds(1);

  private final ClickHouseSettings settings;
  private final TableNames names;
  private final ServerFacts server;

  ServerFindings(ClickHouseSettings settings, TableNames names, ServerFacts server) {
    this.settings = settings;
    this.names = names;
    this.server = server;
  }

  List<Finding> all() {
    return List.of(connection(), latency(), version(), asyncInsert());
  }

  private Finding connection() {
    String place = settings.place();
    String as = " as " + user();
    if (settings.secure()) {
      return switch (settings.tls().verification()) {
        case FULL ->
            Finding.ok("connection", place, "TLS, with the server's certificate checked," + as);
        case CA ->
            Finding.info(
                    "connection",
                    place,
                    "TLS, with the authority checked, but not the host (verify = ca)," + as,
                    "whoever has a certificate of this authority for another host can stand in"
                        + " between")
                .withMend(
                    Mend.advice(
                        "use a certificate for this host, and state_backend.clickhouse.verify:"
                            + " full"));
        case OFF ->
            Finding.warning(
                    "connection",
                    place,
                    "TLS, with nothing checked (verify = off)," + as,
                    "whoever is in between reads and changes everything, the password included")
                .withMend(
                    Mend.advice(
                        "set state_backend.clickhouse.ca_cert to the certificate of the server's"
                            + " authority, and state_backend.clickhouse.verify: full"));
      };
    }
    if (settings.isLoopback()) {
      return Finding.ok("connection", place, "plain HTTP within this machine," + as);
    }
    return Finding.warning(
            "connection",
            place,
            "plain HTTP over the network" + as,
            "whoever sees the traffic reads the password and the states, and can change them")
        .withMend(
            Mend.advice(
                "connect by TLS: state_backend.clickhouse.secure: true, and the server's HTTPS port"
                    + " (8443 unless changed)"));
  }

  private Finding latency() {
    String what = "an answer takes " + server.latency().toMillis() + " ms (median)";
    if (server.latency().compareTo(SLOW) < 0) {
      return Finding.ok("latency", settings.place(), what);
    }
    String why =
        "a write under a lock takes some eight answers, one after the other, so about "
            + server.latency().multipliedBy(8).toMillis()
            + " ms";
    return server.latency().compareTo(VERY_SLOW) < 0
        ? Finding.info("latency", settings.place(), what, why)
        : Finding.warning("latency", settings.place(), what, why);
  }

  private Finding version() {
    String what = "ClickHouse " + server.version();
    if (!server.isAtLeast(24, 4)) {
      return Finding.error(
              "server-version",
              settings.place(),
              what,
              "servers before 24.4 do not know lightweight_deletes_sync, so no lock can be released")
          .withMend(Mend.advice("use ClickHouse 25.8 or later"));
    }
    if (!server.isAtLeast(25, 8)) {
      return Finding.info(
              "server-version",
              settings.place(),
              what,
              "nothing is known against it, but 25.8 is the oldest that statectl is tested with")
          .withMend(Mend.advice("use ClickHouse 25.8 or later"));
    }
    return Finding.ok("server-version", settings.place(), what);
  }

  private Finding asyncInsert() {
    String subject = "the user " + user();
    if (!server.asyncInsert()) {
      return Finding.ok("async-insert", subject, "inserts are synchronous (async_insert = 0)");
    }
    if (server.waitsForAsyncInsert()) {
      return Finding.ok(
          "async-insert",
          subject,
          "async_insert = 1, and inserts wait until they are stored (wait_for_async_insert = 1);"
              + " statectl's own are synchronous");
    }
    return Finding.warning(
            "async-insert",
            subject,
            "async_insert = 1 without waiting (wait_for_async_insert = 0)",
            "what the Meltano plugin writes as this user is acknowledged before it is stored: its"
                + " lock may not be seen by others when it decides, and a state may be lost;"
                + " statectl's own writes are synchronous all the same")
        .withMend(Mend.sql("ALTER USER " + user() + " SETTINGS wait_for_async_insert = 1"));
  }

  private String user() {
    return new Identifier(settings.user()).readable();
  }

  /**
   * Judges where state lives.
   *
   * @param hasOtherStates whether the database of the connection has a state table, too
   */
  Finding place(boolean hasOtherStates) {
    String states = names.stateShown();
    String database = new Identifier(settings.database()).readable();
    if (settings.database().equals(settings.schema())) {
      return Finding.ok("place", states, "states live in the database of the connection");
    }
    if (!hasOtherStates) {
      return Finding.ok(
          "place",
          states,
          "states live in "
              + names.schema().readable()
              + ", by the setting schema; the connection"
              + " goes to "
              + database
              + ", which keeps none");
    }
    return Finding.warning(
            "place",
            states,
            "states live in "
                + states
                + ", by the setting schema, but the database of the connection has a state table"
                + " as well, "
                + database
                + "."
                + names.state().readable(),
            "if pipelines run with another schema, they start from other states than those that are"
                + " shown here")
        .withMend(
            Mend.command(
                "statectl list --schema "
                    + "'"
                    + settings.database().replace("'", "'\\''")
                    + "' -o table"));
  }
}
