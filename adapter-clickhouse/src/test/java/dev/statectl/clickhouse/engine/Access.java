package dev.statectl.clickhouse.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Users and their rights, which the engine in a process does not have. Understands the few access
 * statements that tests need, in ClickHouse's own words, so that the same tests run on a server:
 *
 * <pre>
 * CREATE USER [IF NOT EXISTS] name [IDENTIFIED [WITH method] BY 'password'] [SETTINGS readonly = 1]
 * DROP USER [IF EXISTS] name
 * GRANT privilege, … ON database.table TO name
 * REVOKE privilege, … ON database.table FROM name
 * CHECK GRANT privilege, … ON database.table
 * </pre>
 *
 * <p>They are kept in a file, so users outlive a restart. Thread-safe.
 */
final class Access {
  private static final String NAME = "[`\"]?([A-Za-z0-9_-]+)[`\"]?";
  private static final String END = "[\\s;]*";
  private static final Pattern ANY =
      Pattern.compile(
          "(?is)\\s*(?:(?:CREATE|ALTER|DROP)\\s+(?:USER|ROLE|QUOTA|PROFILE|ROW|SETTINGS)|GRANT|REVOKE)\\b");
  private static final Pattern CREATE =
      Pattern.compile(
          "(?is)\\s*CREATE\\s+USER\\s+(IF\\s+NOT\\s+EXISTS\\s+)?"
              + NAME
              + "(?:\\s+IDENTIFIED\\s+(?:WITH\\s+\\w+\\s+)?BY\\s+'((?:[^'\\\\]|\\\\.)*)')?"
              + "(?:\\s+SETTINGS\\s+readonly\\s*=\\s*'?([012])'?)?"
              + END);
  private static final Pattern DROP =
      Pattern.compile("(?is)\\s*DROP\\s+USER\\s+(IF\\s+EXISTS\\s+)?" + NAME + END);
  private static final Pattern GRANT =
      Pattern.compile(
          "(?is)\\s*(GRANT|REVOKE)\\s+([\\w\\s,]+?)\\s+ON\\s+((?:`[^`]*`|\"[^\"]*\"|[^\\s`\"])+)\\s+(?:TO|FROM)\\s+"
              + NAME
              + END);

  private static final Pattern CHECK =
      Pattern.compile(
          "(?is)\\s*CHECK\\s+GRANT\\s+([\\w\\s,]+?)\\s+ON\\s+((?:`[^`]*`|\"[^\"]*\"|[^\\s`\"])+)"
              + END);

  /** Readonly is ClickHouse's setting of that name: 0 no, 1 reading only, 2 settings may change. */
  private record User(String password, int readonly, List<Privilege> privileges) {}

  private final Map<String, User> users = new HashMap<>();
  private final Path file;

  /** Starts with one user who may do everything, and those of earlier runs. */
  Access(String admin, String password, Path file) throws IOException, ServerError {
    this.file = file;
    users.put(admin, new User(password, 0, List.of(new Privilege("ALL", "*", "*"))));
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        change(line, "default");
      }
    }
  }

  /**
   * @throws ServerError 516 if there is no such user or the password is another
   */
  synchronized void authenticate(String name, String password) throws ServerError {
    User user = users.get(name);
    if (user == null || !user.password().equals(password)) {
      throw ServerError.of(
          516,
          "AUTHENTICATION_FAILED",
          name
              + ": Authentication failed: password is incorrect, or there is no user with such"
              + " name");
    }
  }

  synchronized int readonly(String name) {
    User user = users.get(name);
    return user == null ? 1 : user.readonly();
  }

  /**
   * @throws ServerError 497 if the user lacks one of these
   */
  synchronized void demand(String name, List<Privilege> needs) throws ServerError {
    User user = users.get(name);
    for (Privilege need : needs) {
      if (user == null || user.privileges().stream().noneMatch(has -> has.covers(need))) {
        throw ServerError.of(
            497,
            "ACCESS_DENIED",
            name
                + ": Not enough privileges. To execute this query, it's necessary to have the"
                + " grant "
                + need);
      }
    }
  }

  /** Whether the user has all the rights that a CHECK GRANT asks for; empty of other statements. */
  synchronized Optional<Boolean> check(String name, String sql, String currentDatabase) {
    Matcher check = CHECK.matcher(sql);
    if (!check.matches()) {
      return Optional.empty();
    }
    User user = users.get(name);
    return Optional.of(
        user != null
            && Arrays.stream(check.group(1).split(","))
                .map(Access::right)
                .map(right -> Statement.onTable(right, check.group(2), currentDatabase))
                .allMatch(need -> user.privileges().stream().anyMatch(has -> has.covers(need))));
  }

  private static String right(String words) {
    return words.strip().replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
  }

  /** Runs the statement if it is about access; false if it is an ordinary one. */
  synchronized boolean run(String user, String sql, String currentDatabase)
      throws ServerError, IOException {
    if (!ANY.matcher(sql).lookingAt()) {
      return false;
    }
    demand(user, List.of(new Privilege("ACCESS MANAGEMENT", "*", "*")));
    change(sql, currentDatabase);
    Files.writeString(
        file,
        sql.replaceAll("\\s*\\n\\s*", " ").strip() + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    return true;
  }

  private void change(String sql, String currentDatabase) throws ServerError {
    Matcher create = CREATE.matcher(sql);
    Matcher drop = DROP.matcher(sql);
    Matcher grant = GRANT.matcher(sql);
    if (create.matches()) {
      create(
          create.group(2),
          create.group(1) != null,
          new User(
              unescaped(create.group(3)),
              create.group(4) == null ? 0 : Integer.parseInt(create.group(4)),
              new ArrayList<>()));
    } else if (drop.matches()) {
      if (users.remove(drop.group(2)) == null && drop.group(1) == null) {
        throw unknown(drop.group(2));
      }
    } else if (grant.matches()) {
      User user = users.get(grant.group(4));
      if (user == null) {
        throw unknown(grant.group(4));
      }
      for (String name : grant.group(2).split(",")) {
        Privilege privilege = Statement.onTable(right(name), grant.group(3), currentDatabase);
        if (grant.group(1).equalsIgnoreCase("GRANT")) {
          user.privileges().add(privilege);
        } else {
          user.privileges().removeIf(privilege::covers);
        }
      }
    } else {
      throw ServerError.of(
          48,
          "NOT_IMPLEMENTED",
          "The local engine for tests knows of access statements only the forms of CREATE USER,"
              + " DROP USER, GRANT and REVOKE in the Javadoc of its class Access");
    }
  }

  private void create(String name, boolean ifNotExists, User user) throws ServerError {
    if (users.putIfAbsent(name, user) != null && !ifNotExists) {
      throw ServerError.of(
          493,
          "ACCESS_ENTITY_ALREADY_EXISTS",
          "user `"
              + name
              + "`: cannot insert because user `"
              + name
              + "` already exists in local_directory");
    }
  }

  private static String unescaped(@Nullable String literal) {
    return literal == null ? "" : literal.replaceAll("\\\\(.)", "$1");
  }

  private static ServerError unknown(String name) {
    return ServerError.of(
        192, "UNKNOWN_USER", "There is no user `" + name + "` in user directories");
  }
}
