{{/* What a release adds to the pods of one process, by its values (api or collector). */}}

{{- define "platform.pod.annotations" -}}
{{- toYaml (merge (deepCopy (.podAnnotations | default dict)) (dict "prometheus.io/scrape" "true" "prometheus.io/port" "9090" "prometheus.io/path" "/metrics")) }}
{{- end }}

{{- define "platform.pod.placement" -}}
{{- range $name := list "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with index $ $name }}
{{ $name }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{- define "platform.container.environment" -}}
{{- with .extraEnv }}
env: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .extraEnvFrom }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
