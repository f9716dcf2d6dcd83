export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that a shell is to read, as `source <(toolcell completion bash)`. No name that a stranger chose stands in it. */
export function completionScript(shell: Shell): string {
  switch (shell) {
    case "bash":
      return BASH;
    case "zsh":
      return ZSH;
    case "fish":
      return FISH;
  }
}

// `compgen -W` would expand what it is given; what is read line by line here is compared and nothing else. A word with "=" or
// ":" in it is several words to readline, which wants only what comes after the last of these.
const BASH = `# toolcell completion for bash: source <(toolcell completion bash)
_toolcell() {
  local current line word typed
  local -a words=()
  local IFS=$'\\n'
  current=\${COMP_LINE:0:COMP_POINT}
  typed=\${current##*[[:space:]]}
  read -r -d '' -a words < <(printf '%s\\n' "\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
  while read -r line; do
    word=\${line%%$'\\t'*}
    [[ "$word" == "$typed"* ]] || continue
    case "$typed" in
      *[=:]*) COMPREPLY+=("\${word#"\${typed%"\${typed##*[=:]}"}"}") ;;
      *) COMPREPLY+=("$word") ;;
    esac
  done < <(command toolcell completion words -- "\${words[@]}" "$typed" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace; fi
}
complete -o bashdefault -o default -F _toolcell toolcell
`;

const ZSH = `#compdef toolcell
# toolcell completion for zsh: source <(toolcell completion zsh), or this text as the file _toolcell on $fpath
_toolcell() {
  local line word about
  local -a found about_found
  while IFS= read -r line; do
    word=\${line%%$'\\t'*}
    about=\${line#*$'\\t'}
    [[ "$about" == "$line" ]] && about=''
    found+=("$word")
    about_found+=("\${word}\${about:+  -- $about}")
  done < <(command toolcell completion words -- "\${(@)words[2,CURRENT-1]}" "\${words[CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    compadd -d about_found -a found
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _toolcell ]]; then
  _toolcell "$@"
else
  compdef _toolcell toolcell
fi
`;

const FISH = `# toolcell completion for fish: toolcell completion fish | source
function __toolcell_words
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    command toolcell completion words -- $words[2..-1] "$current" 2>/dev/null
end
complete -c toolcell -a '(__toolcell_words)'
`;
