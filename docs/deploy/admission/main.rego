# METADATA
# description: The answer to an AdmissionReview, as the webhook of Kubernetes expects it.
package system

import data.admission

main := {
	"apiVersion": "admission.k8s.io/v1",
	"kind": "AdmissionReview",
	"response": object.union({"uid": input.request.uid, "allowed": count(admission.deny) == 0}, reason),
}

default reason := {}

reason := {"status": {"message": concat("; ", admission.deny)}} if count(admission.deny) > 0
