/** The projects that the page offers to begin with. */
import type { LinkedProject } from './project-link.js';

export interface Example extends LinkedProject {
  readonly title: string;
}

const roles: Example = {
  title: 'Roles',
  files: [
    {
      file: 'authz.rego',
      text: `package authz

# Who may do what: roles come from data, the request from input.
default allow := false

allow if "admin" in roles

allow if {
	some role in roles
	some grant in data.grants[role]
	grant.action == input.action
	grant.type == input.resource.type
}

# Owners may change what they own, unless it is archived.
allow if {
	input.action == "update"
	input.resource.owner == input.user
	not input.resource.archived
}

roles contains role if some role in data.users[input.user].roles
`,
    },
    {
      file: 'authz_test.rego',
      text: `package authz_test

import data.authz

users := {"ann": {"roles": ["editor"]}}

grants := {"editor": [{"action": "read", "type": "page"}]}

test_editors_read_pages if {
	authz.allow with input as {"user": "ann", "action": "read", "resource": {"type": "page"}}
		with data.users as users
		with data.grants as grants
}

test_archived_pages_stay if {
	request := {"user": "ann", "action": "update", "resource": {"owner": "ann", "archived": true}}
	not authz.allow with input as request with data.users as users with data.grants as grants
}
`,
    },
  ],
  input: `{
  "user": "ann",
  "action": "update",
  "resource": { "type": "page", "owner": "bob" }
}
`,
  data: `{
  "users": {
    "ann": { "roles": ["editor"] },
    "bob": { "roles": ["author"] }
  },
  "grants": {
    "editor": [
      { "action": "read", "type": "page" },
      { "action": "publish", "type": "page" }
    ],
    "author": [{ "action": "create", "type": "page" }]
  }
}
`,
  query: 'data.authz',
};

const kubernetes: Example = {
  title: 'Kubernetes admission',
  files: [
    {
      file: 'admission.rego',
      text: `package admission

# Messages for each container that a cluster should refuse.
deny contains message if {
	some container in input.request.object.spec.containers
	container.securityContext.privileged
	message := sprintf("container %q is privileged", [container.name])
}

deny contains message if {
	some container in input.request.object.spec.containers
	not from_registry(container.image)
	message := sprintf("container %q: image %q is from no registry of ours", [container.name, container.image])
}

from_registry(image) if {
	some registry in data.registries
	startswith(image, concat("", [registry, "/"]))
}

allow if count(deny) == 0
`,
    },
  ],
  input: `{
  "request": {
    "object": {
      "kind": "Pod",
      "spec": {
        "containers": [
          { "name": "app", "image": "registry.example/app:2.1" },
          {
            "name": "helper",
            "image": "docker.io/busybox",
            "securityContext": { "privileged": true }
          }
        ]
      }
    }
  }
}
`,
  data: `{ "registries": ["registry.example"] }
`,
  query: 'data.admission.deny',
};

const api: Example = {
  title: 'HTTP API',
  files: [
    {
      file: 'api.rego',
      text: `package api

default allow := false

# GET /accounts/{id}: the owner, and support.
allow if {
	input.method == "GET"
	["accounts", id] = path
	id in readable
}

# POST /transfers: between accounts of one's own, up to the daily limit.
allow if {
	input.method == "POST"
	path == ["transfers"]
	input.body.from in owned
	input.body.amount <= data.limits[input.user.level]
}

path := split(trim(input.path, "/"), "/")

owned contains id if some id, account in data.accounts; account.owner == input.user.name

readable contains id if some id in owned

readable contains id if {
	input.user.level == "support"
	some id, _ in data.accounts
}
`,
    },
  ],
  input: `{
  "method": "POST",
  "path": "/transfers",
  "user": { "name": "ann", "level": "basic" },
  "body": { "from": "a-1", "to": "b-7", "amount": 250 }
}
`,
  data: `{
  "accounts": {
    "a-1": { "owner": "ann" },
    "b-7": { "owner": "bob" }
  },
  "limits": { "basic": 200, "gold": 5000 }
}
`,
  query: 'data.api.allow',
};

const rows: Example = {
  title: 'Rows of a database',
  files: [
    {
      file: 'shop.rego',
      text: `package shop

# The tab "Partial" asks: which orders may this user see? Answer it as SQL.
visible if {
	input.user.role == "clerk"
	input.orders.region == input.user.region
}

visible if {
	input.user.role == "customer"
	input.orders.customer == input.user.name
	input.orders.state != "draft"
}

visible if input.user.role == "auditor"
`,
    },
  ],
  input: `{ "user": { "role": "customer", "name": "ann" } }
`,
  data: '',
  query: 'data.shop.visible',
};

export const examples: readonly Example[] = [roles, kubernetes, api, rows];
