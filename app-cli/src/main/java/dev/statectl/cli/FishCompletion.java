package dev.statectl.cli;

import dev.statectl.cli.CompletionModel.Option;
import dev.statectl.cli.CompletionModel.Value;
import dev.statectl.cli.CompletionModel.Word;
import java.util.List;
import java.util.stream.Collectors;

/** The script for fish 3 and newer. */
final class FishCompletion {
  private static final String HEAD =
      """
      # Completes the command lines of statectl in fish. Printed by 'statectl completion fish'.

      # Prints the command that was typed so far, and how many words stand behind it.
      function __statectl_command
          set -l command statectl
          set -l count 0
          set -l value 0
          set -l ended 0
          for word in (commandline -opc)[2..-1]
              if test $value = 1
                  set value 0
              else if test $ended = 0 -a "$word" = --
                  set ended 1
              else if test $ended = 0; and string match -q -- '-?*' $word
                  switch "$command $word"
                      case @valued@
                          set value 1
                  end
              else if test $count -gt 0
                  set count (math $count + 1)
              else
                  switch "$command $word"
                      case @commands@
                          set command "$command $word"
                      case '*'
                          set count 1
                  end
              end
          end
          printf '%s\\n' $command $count
      end

      function __statectl_at
          set -l typed (__statectl_command)
          test "$typed[1]" = "$argv[1]"
      end

      function __statectl_at_word
          set -l typed (__statectl_command)
          test "$typed[1]" = "$argv[1]"; and test $typed[2] -ge $argv[2] -a $typed[2] -le $argv[3]
      end

      # Only with STATECTL_COMPLETE_IDS=1: runs the command, silently and not for long.
      function __statectl_ids
          test "$STATECTL_COMPLETE_IDS" = 1; and command -q timeout; or return
          set -l words (commandline -opc)
          set -l settings
          for i in (seq 2 (count $words))
              switch $words[$i]
                  case @setting@
                      set -a settings $words[$i] $words[(math $i + 1)]
                  case @setting=@
                      set -a settings $words[$i]
              end
          end
          timeout 3 $words[1] $settings list </dev/null 2>/dev/null
      end

      function __statectl_program
          set -l typed (__statectl_command)
          if test $typed[2] -le 1
              __fish_complete_command
          else
              __fish_complete_path (commandline -ct)
          end
      end

      complete -c statectl -f
      """;

  private FishCompletion() {}

  static String script(CompletionModel root) {
    List<CompletionModel> all = root.all();
    List<String> settings =
        root.options().stream()
            .filter(option -> !option.value().isEmpty())
            .flatMap(option -> option.names().stream())
            .toList();
    StringBuilder script =
        new StringBuilder(
            HEAD.replace(
                    "@valued@",
                    all.stream()
                        .flatMap(
                            command ->
                                command.options().stream()
                                    .filter(option -> !option.value().isEmpty())
                                    .flatMap(option -> option.names().stream())
                                    .map(name -> quoted(command.path() + " " + name)))
                        .collect(Collectors.joining(" ")))
                .replace(
                    "@commands@",
                    all.stream()
                        .skip(1)
                        .map(command -> quoted(command.path()))
                        .collect(Collectors.joining(" ")))
                .replace("@setting@", String.join(" ", settings))
                .replace(
                    "@setting=@",
                    settings.stream()
                        .map(name -> quoted(name + "=*"))
                        .collect(Collectors.joining(" "))));
    all.forEach(command -> lines(command, script));
    return script.toString();
  }

  private static void lines(CompletionModel command, StringBuilder script) {
    script.append("\n");
    String at = "__statectl_at " + quoted(command.path());
    for (CompletionModel below : command.commands()) {
      line(script, at, "-a " + below.name(), below.summary());
    }
    for (Option option : command.options()) {
      StringBuilder names = new StringBuilder();
      for (String name : option.names()) {
        names
            .append(names.isEmpty() ? "" : " ")
            .append(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
      }
      option.value().forEach(value -> names.append(" -r ").append(action(value)));
      line(script, at, names.toString().strip(), option.summary());
    }
    for (int i = 0; i < command.words().size(); i++) {
      Word word = command.words().get(i);
      String action = action(word.value());
      if (!action.isEmpty()) {
        String place = " " + i + " " + (word.isRest() ? 9999 : i);
        String condition = "__statectl_at_word " + quoted(command.path()) + place;
        line(script, condition, action, word.value().label());
      }
    }
  }

  private static void line(StringBuilder script, String condition, String what, String about) {
    script
        .append("complete -c statectl -n ")
        .append(quoted(condition))
        .append(' ')
        .append(what)
        .append(" -d ")
        .append(quoted(about))
        .append('\n');
  }

  private static String action(Value value) {
    return switch (value.kind()) {
      case CHOICE -> "-f -a " + quoted(String.join(" ", value.choices()));
      case FILE -> "-F";
      case ID -> "-f -a '(__statectl_ids)'";
      case PROGRAM -> "-f -a '(__statectl_program)'";
      case OTHER -> "";
    };
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
