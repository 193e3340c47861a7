package dev.statectl.cli.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How a text refers to variables. Values that were filled in are not looked through again. */
enum ReferenceSyntax {
  /**
   * That of meltano.yml: {@code $VAR} in capitals, {@code ${VAR}} in any case; a backslash before
   * the dollar sign makes it literal, and so does anything but a name after it. See <a
   * href="https://docs.meltano.com/guide/configuration">Meltano's guide to configuration</a>.
   */
  MELTANO("(?<escape>\\\\)?(?<reference>\\$(?:\\{(?<braced>\\w+)}|(?<bare>[A-Z][A-Z0-9_]*)))") {
    @Override
    boolean isLiteral(Matcher match) {
      return match.group("escape") != null;
    }

    @Override
    String name(Matcher match) {
      String braced = match.group("braced");
      return braced == null ? match.group("bare") : braced;
    }

    @Override
    @Nullable String fallback(Matcher match) {
      return null;
    }
  },

  /**
   * That of .env: {@code ${VAR}} and {@code ${VAR:-default}}, in quotes of either kind too. See <a
   * href="https://github.com/theskumar/python-dotenv#variable-expansion">python-dotenv</a>, which
   * Meltano reads the file with.
   */
  DOTENV("(?<reference>\\$\\{(?<name>[^}:]*)(?::-(?<fallback>[^}]*))?})") {
    @Override
    boolean isLiteral(Matcher match) {
      return false;
    }

    @Override
    String name(Matcher match) {
      return match.group("name");
    }

    @Override
    @Nullable String fallback(Matcher match) {
      return match.group("fallback");
    }
  };

  private final Pattern pattern;

  ReferenceSyntax(String pattern) {
    this.pattern = Pattern.compile(pattern, Pattern.UNICODE_CHARACTER_CLASS);
  }

  abstract boolean isLiteral(Matcher match);

  abstract String name(Matcher match);

  abstract @Nullable String fallback(Matcher match);

  /** Fills in the references of a text that stands at the given place. */
  Expansion expand(String text, String place, Map<String, Expansion> variables) {
    StringBuilder result = new StringBuilder();
    List<Expansion.Missing> missing = new ArrayList<>();
    Matcher match = pattern.matcher(text);
    int end = 0;
    while (match.find()) {
      result.append(text, end, match.start());
      end = match.end();
      if (isLiteral(match)) {
        result.append(match.group("reference"));
        continue;
      }
      Expansion value = variables.get(name(match));
      String fallback = fallback(match);
      if (value != null) {
        result.append(value.text());
        missing.addAll(value.missing());
      } else if (fallback != null) {
        result.append(fallback);
      } else {
        missing.add(new Expansion.Missing(name(match), place));
      }
    }
    result.append(text, end, text.length());
    return new Expansion(result.toString(), List.copyOf(missing), end > 0);
  }
}
