package dev.statectl.cli;

import dev.statectl.cli.CompletionModel.Kind;
import dev.statectl.cli.CompletionModel.Value;
import dev.statectl.cli.CompletionModel.Word;
import java.util.List;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The script for bash 3.2 and newer, which needs no package of completions. */
final class BashCompletion {
  private static final String SCRIPT =
      """
      # Completes the command lines of statectl in bash. Printed by 'statectl completion bash'.

      # Sets words to the words up to the cursor: bash itself breaks them at : and = too.
      _statectl_words() {
        local line=${COMP_LINE:0:COMP_POINT} rest part word i
        words=()
        for ((i = 0; i <= COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          rest=${line#"${line%%[![:space:]]*}"}
          if ((i == 0)) || [[ $rest != "$line" ]]; then
            words[${#words[@]}]=
          fi
          part=$word
          [[ $rest == "$word"* ]] || part=$rest
          line=${rest#"$part"}
          words[${#words[@]} - 1]+=$part
        done
      }

      # Offers the words behind the prefix, without what bash takes for words of their own.
      _statectl_offer() {
        local prefix=$1 breaks='' head='' candidate
        shift
        [[ $COMP_WORDBREAKS != *=* ]] || breaks+='='
        [[ $COMP_WORDBREAKS != *:* ]] || breaks+=':'
        [[ -z $breaks ]] || head=${current%"${current##*["$breaks"]}"}
        for candidate; do
          candidate=$prefix$candidate
          [[ $candidate != "$current"* ]] || COMPREPLY[${#COMPREPLY[@]}]=${candidate#"$head"}
        done
      }

      _statectl_files() {
        local file
        compopt -o filenames 2>/dev/null
        while IFS= read -r file; do
          COMPREPLY[${#COMPREPLY[@]}]=$file
        done < <(compgen -f -- "${current#"$1"}")
      }

      # Only with STATECTL_COMPLETE_IDS=1: runs the command, silently and not for long.
      _statectl_ids() {
        [[ ${STATECTL_COMPLETE_IDS-} == 1 ]] && type -P timeout >/dev/null || return 0
        local id ids=()
        while IFS= read -r id; do
          printf -v id %q "$id"
          ids[${#ids[@]}]=$id
        done < <(timeout 3 "${words[0]}" ${settings[@]+"${settings[@]}"} list </dev/null 2>/dev/null)
        _statectl_offer "$1" ${ids[@]+"${ids[@]}"}
      }

      _statectl_program() {
        local word
        if (($1 > 1)); then
          compopt -o default 2>/dev/null
          return 0
        fi
        while IFS= read -r word; do
          COMPREPLY[${#COMPREPLY[@]}]=$word
        done < <(compgen -c -- "$current")
      }

      _statectl() {
        local words current command=statectl count=0 option='' ended='' word i settings=()
        COMPREPLY=()
        _statectl_words
        current=${words[${#words[@]} - 1]}
        for ((i = 1; i < ${#words[@]} - 1; i++)); do
          word=${words[i]}
          if [[ -n $option ]]; then
            option=
          elif [[ -z $ended && $word == -- ]]; then
            ended=1
          elif [[ -z $ended && $word == -?* ]]; then
            case "$command $word" in
              @valued@) option=$word ;;
            esac
            case "$word" in
              @setting@) settings+=("$word" "${words[i + 1]}") ;;
              @setting=@) settings+=("$word") ;;
            esac
          elif ((count > 0)); then
            count=$((count + 1))
          else
            case "$command $word" in
              @commands@) command+=" $word" ;;
              *) count=1 ;;
            esac
          fi
        done
        if [[ -z $option && -z $ended && $current == --*=* ]]; then
          option=${current%%=*}
          set -- "$option="
        else
          set -- ''
        fi
        if [[ -n $option ]]; then
          case "$command $option" in
            @values@
          esac
        elif [[ -z $ended && $current == -* ]]; then
          case "$command" in
            @options@
          esac
        else
          case "$command $count" in
            @words@
          esac
        fi
      }

      complete -F _statectl statectl
      """;

  private BashCompletion() {}

  static String script(CompletionModel root) {
    List<CompletionModel> all = root.all();
    String below = patterns(all.stream().skip(1).map(CompletionModel::path));
    List<String> settings =
        root.options().stream()
            .filter(option -> !option.value().isEmpty())
            .flatMap(option -> option.names().stream())
            .toList();
    return SCRIPT
        .replace("@commands@", below)
        .replace("@valued@", patterns(all.stream().flatMap(BashCompletion::valued)))
        .replace("@setting@", patterns(settings.stream()))
        .replace(
            "@setting=@", settings.stream().map(name -> "'" + name + "='*").collect(joining("|")))
        .replace("@values@", branches(all.stream().flatMap(BashCompletion::values)))
        .replace("@options@", branches(all.stream().map(BashCompletion::options)))
        .replace("@words@", branches(all.stream().flatMap(BashCompletion::words)));
  }

  private static Stream<String> valued(CompletionModel command) {
    return command.options().stream()
        .filter(option -> !option.value().isEmpty())
        .flatMap(option -> option.names().stream())
        .map(name -> command.path() + " " + name);
  }

  private static Stream<String> values(CompletionModel command) {
    return command.options().stream()
        .filter(option -> option.value().stream().anyMatch(value -> value.kind() != Kind.OTHER))
        .map(
            option ->
                patterns(option.names().stream().map(name -> command.path() + " " + name))
                    + ") "
                    + action(option.value().get(0))
                    + " ;;");
  }

  private static String options(CompletionModel command) {
    return "'"
        + command.path()
        + "') _statectl_offer '' "
        + command.options().stream()
            .flatMap(option -> option.names().stream())
            .collect(joining(" "))
        + " ;;";
  }

  private static Stream<String> words(CompletionModel command) {
    if (!command.commands().isEmpty()) {
      String names = command.commands().stream().map(CompletionModel::name).collect(joining(" "));
      return Stream.of("'" + command.path() + " 0') _statectl_offer '' " + names + " ;;");
    }
    Stream.Builder<String> branches = Stream.builder();
    for (int i = 0; i < command.words().size(); i++) {
      Word word = command.words().get(i);
      String count = word.isRest() ? " '*" : " " + i + "'";
      branches.add("'" + command.path() + count + ") " + action(word.value()) + " ;;");
    }
    return branches.build();
  }

  private static String action(Value value) {
    return switch (value.kind()) {
      case CHOICE -> "_statectl_offer \"$1\" " + String.join(" ", value.choices());
      case FILE -> "_statectl_files \"$1\"";
      case ID -> "_statectl_ids \"$1\"";
      case PROGRAM -> "_statectl_program \"$count\"";
      case OTHER -> ":";
    };
  }

  private static String branches(Stream<String> branches) {
    return branches.collect(joining("\n      "));
  }

  private static String patterns(Stream<String> texts) {
    return texts.map(text -> "'" + text + "'").collect(joining(" | "));
  }

  private static Collector<CharSequence, ?, String> joining(String separator) {
    return Collectors.joining(separator);
  }
}
