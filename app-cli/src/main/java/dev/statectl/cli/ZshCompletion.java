package dev.statectl.cli;

import dev.statectl.cli.CompletionModel.Option;
import dev.statectl.cli.CompletionModel.Value;
import dev.statectl.cli.CompletionModel.Word;
import java.util.ArrayList;
import java.util.List;

/** The script for zsh: a function of its own completion system, to be read or autoloaded. */
final class ZshCompletion {
  private static final String HEAD =
      """
      #compdef statectl
      # Completes the command lines of statectl in zsh. Printed by 'statectl completion zsh'.

      # Only with STATECTL_COMPLETE_IDS=1: runs the command, silently and not for long.
      _statectl_ids() {
        [[ ${STATECTL_COMPLETE_IDS-} == 1 ]] && (( $+commands[timeout] )) || return 1
        local option name
        local -a ids settings
        for option in @settings@; do
          if (( $+opt_args[$option] )); then
            settings+=($option ${(Q)opt_args[$option]//\\\\:/:})
          fi
        done
        ids=(${(f)"$(timeout 3 ${(Q)_statectl_command} $settings list </dev/null 2>/dev/null)"})
        compadd -a ids
      }
      """;

  private static final String TAIL =
      """

      _statectl() {
        local _statectl_command=$words[1]
        _statectl_at_statectl
      }

      if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
        _statectl "$@"
      else
        compdef _statectl statectl
      fi
      """;

  private ZshCompletion() {}

  static String script(CompletionModel root) {
    List<String> settings =
        root.options().stream()
            .filter(option -> !option.value().isEmpty())
            .map(option -> option.names().get(option.names().size() - 1))
            .toList();
    StringBuilder script =
        new StringBuilder(HEAD.replace("@settings@", String.join(" ", settings)));
    root.all().forEach(command -> function(command, script));
    return script.append(TAIL).toString();
  }

  private static void function(CompletionModel command, StringBuilder script) {
    List<String> specs = new ArrayList<>();
    command.options().forEach(option -> specs.add(spec(option)));
    boolean branches = !command.commands().isEmpty();
    if (branches) {
      specs.add("'1:command:->command'");
      specs.add("'*::argument:->argument'");
    }
    // Where commands are below, they are what the first word is completed to.
    if (!branches) {
      command.words().forEach(word -> specs.add(spec(word, command.words().indexOf(word) + 1)));
    }
    String name = functionOf(command);
    script.append("\n").append(name).append("() {\n");
    if (branches) {
      script.append("  local context curcontext=$curcontext state state_descr line\n");
    }
    // The options of parents are the commands' own, too: what was given before stays known.
    script.append(command.path().contains(" ") ? "" : "  local -A opt_args\n");
    script
        .append("  _arguments -s -S")
        .append(branches ? " -C" : "")
        .append(" : \\\n    ")
        .append(String.join(" \\\n    ", specs));
    if (!branches) {
      script.append("\n}\n");
      return;
    }
    script.append(" && return\n  case $state in\n    command)\n      local -a commands=(\n");
    command
        .commands()
        .forEach(
            below ->
                script
                    .append("        ")
                    .append(quoted(below.name() + ":" + below.summary()))
                    .append('\n'));
    script.append(
        "      )\n      _describe -t commands command commands\n      ;;\n    argument)\n"
            + "      case $words[1] in\n");
    command
        .commands()
        .forEach(
            below ->
                script
                    .append("        ")
                    .append(below.name())
                    .append(") ")
                    .append(functionOf(below))
                    .append(" ;;\n"));
    script.append("      esac\n      ;;\n  esac\n}\n");
  }

  private static String functionOf(CompletionModel command) {
    return "_statectl_at_" + command.path().replace(' ', '_').replace('-', '_');
  }

  private static String spec(Option option) {
    List<String> names = option.names();
    String description = "[" + escaped(option.summary(), "[]\\") + "]";
    String value =
        option.value().isEmpty()
            ? ""
            : ":"
                + escaped(option.value().get(0).label(), ":\\")
                + ":"
                + action(option.value().get(0));
    String excluded = option.isRepeatable() ? "'*'" : "'(" + String.join(" ", names) + ")'";
    List<String> shown = names.stream().map(name -> name + suffix(option, name)).toList();
    String alternatives = shown.size() == 1 ? shown.get(0) : "{" + String.join(",", shown) + "}";
    return excluded + alternatives + quoted(description + value);
  }

  private static String suffix(Option option, String name) {
    if (option.value().isEmpty()) {
      return "";
    }
    return name.startsWith("--") ? "=" : "+";
  }

  private static String spec(Word word, int place) {
    String label = escaped(word.value().label(), ":\\");
    return word.isRest()
        ? quoted("*::" + label + ":" + action(word.value()))
        : quoted(place + ":" + label + ":" + action(word.value()));
  }

  private static String action(Value value) {
    return switch (value.kind()) {
      case CHOICE -> "(" + String.join(" ", value.choices()) + ")";
      case FILE -> "_files";
      case ID -> "_statectl_ids";
      case PROGRAM -> "_normal";
      case OTHER -> " ";
    };
  }

  private static String escaped(String text, String special) {
    StringBuilder escaped = new StringBuilder();
    text.chars()
        .forEach(
            c -> {
              if (special.indexOf(c) >= 0) {
                escaped.append('\\');
              }
              escaped.append((char) c);
            });
    return escaped.toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
