/**
 * What each shell runs at a press of Tab: it asks `fed __complete` with the words up to the cursor, the last one as
 * far as it is typed, and gets a candidate a line, behind a tab what it means. `:files` and `:folders` leave it
 * to the shell.
 */
export const completionScripts = {
  // no mapfile: macOS has bash 3.2
  bash: `# fed completion for bash
_fed() {
  local value kind=
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    case $value in
      :files) kind=-f ;;
      :folders) kind=-d ;;
      *) COMPREPLY+=("$value") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ -n $kind ]] || return 0
  compopt -o filenames 2>/dev/null
  while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen $kind -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -F _fed fed
`,
  zsh: `#compdef fed
# fed completion for zsh
_fed() {
  local value meaning
  local -a candidates
  while IFS=$'\\t' read -r value meaning; do
    case $value in
      :files) _files; return ;;
      :folders) _files -/; return ;;
      *) candidates+=("\${value//:/\\\\:}\${meaning:+:$meaning}") ;;
    esac
  done < <("\${words[1]}" __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  _describe fed candidates
}
if [[ \${funcstack[1]} == _fed ]]; then _fed "$@"; else compdef _fed fed; fi
`,
  fish: `# fed completion for fish
function __fed_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -l found ($before[1] __complete -- $before[2..-1] $current 2>/dev/null)
  switch "$found[1]"
    case :files
      __fish_complete_path $current
    case :folders
      __fish_complete_directories $current
    case '*'
      test (count $found) -gt 0; and printf '%s\\n' $found
  end
end
complete -c fed -f -a '(__fed_complete)'
`,
} as const
