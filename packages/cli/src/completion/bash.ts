/**
 * What bash needs. Our own, because it must work without the package bash-completion, be sourced twice, and evaluate neither what
 * is typed nor what is offered.
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
  # bash replaces what stands behind the last of these only.
  stem=\${cur%"\${cur##*[:=]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r candidate _; do
    [[ $candidate == :* || -z $candidate ]] || COMPREPLY+=("\${candidate#"$stem"}")
  done <<< "$out"
  # 2: no blank behind it, 4: no files.
  ((directive & 2)) && compopt -o nospace
  ((directive & 4)) && compopt +o default +o bashdefault
  return 0
}

complete -o bashdefault -o default -F _platform platform
`;
