/**
 * The bash completion script. It is not the one of the library, because it must work without the package bash-completion, can be
 * sourced twice, and must not evaluate what the user types or what the server returns.
 */
export const bashScript = `# bash completion for platform

_platform() {
  local line=\${COMP_LINE:0:COMP_POINT} cur stem out directive candidate
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  cur=\${words[\${#words[@]} - 1]}
  out=$(platform complete -- "\${words[@]:1}" 2> /dev/null) || return
  directive=\${out##*:}
  # bash replaces only the part after the last : or =.
  stem=\${cur%"\${cur##*[:=]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    [[ $candidate == :* || -z $candidate ]] || COMPREPLY+=("\${candidate#"$stem"}")
  done <<< "$out"
  # 2: no space after the word, 4: no file names.
  ((directive & 2)) && compopt -o nospace
  ((directive & 4)) && compopt +o default +o bashdefault
  return 0
}

complete -o bashdefault -o default -F _platform platform
`;
