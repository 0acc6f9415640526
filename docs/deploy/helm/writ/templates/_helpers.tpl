{{- define "writ.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "writ.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "writ.labels" -}}
{{ include "writ.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "writ.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "writ.tlsSecret" -}}
{{ .Values.tls.secretName | default (printf "%s-tls" (include "writ.name" .)) }}
{{- end -}}

{{- define "writ.policiesConfigMap" -}}
{{- if .Values.policiesConfigMap -}}
{{ .Values.policiesConfigMap }}
{{- else if .Values.policies -}}
{{ include "writ.name" . }}-policies
{{- end -}}
{{- end -}}

{{- define "writ.servicePort" -}}
{{ .Values.service.port | default (ternary 443 8181 .Values.tls.enabled) }}
{{- end -}}

{{- define "writ.spread" -}}
- maxSkew: 1
  topologyKey: {{ .key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "writ.selector" .root | nindent 6 }}
{{- end -}}
