package loci

import (
	"fmt"
	"slices"
	"strings"

	v1 "loci/client-go/lociv1"
)

// User is the scope of one person.
func User(id string) *v1.Scope { return scope(v1.ScopeKind_SCOPE_KIND_USER, id) }

// Agent is the scope of one agent.
func Agent(id string) *v1.Scope { return scope(v1.ScopeKind_SCOPE_KIND_AGENT, id) }

// Team is the scope of a group of people or agents.
func Team(id string) *v1.Scope { return scope(v1.ScopeKind_SCOPE_KIND_TEAM, id) }

// Project is the scope of a piece of work.
func Project(id string) *v1.Scope { return scope(v1.ScopeKind_SCOPE_KIND_PROJECT, id) }

// Session is the scope of one conversation. [SessionOf] names a session that Loci keeps.
func Session(id string) *v1.Scope { return scope(v1.ScopeKind_SCOPE_KIND_SESSION, id) }

// Global is the scope of the whole tenant.
func Global() *v1.Scope { return scope(v1.ScopeKind_SCOPE_KIND_GLOBAL, "") }

func scope(kind v1.ScopeKind, id string) *v1.Scope { return &v1.Scope{Kind: kind, Id: id} }

// idsOfNobody is what a template makes of a value that is not there: everybody who is unknown would share one memory.
var idsOfNobody = []string{"undefined", "null", "None", "NaN", "nan", "[object Object]", "<nil>", "%!s(<nil>)"}

// ParseScope reads a scope as people write it: user:alice, project:billing, global. Everything after the first colon is the
// id. An unknown kind is an error ([InvalidScope]), and so is a text such as user:<nil> ([InvalidIdentifier]); what else an id may be the
// server says. [User] and the like take an id at its word.
func ParseScope(text string) (*v1.Scope, error) {
	kind, id, hasID := strings.Cut(text, ":")
	number, known := v1.ScopeKind_value["SCOPE_KIND_"+strings.ToUpper(kind)]
	isGlobal := number == int32(v1.ScopeKind_SCOPE_KIND_GLOBAL)
	if !known || number == 0 || kind != strings.ToLower(kind) || isGlobal == hasID {
		return nil, newError(InvalidScope, Error{
			Message: fmt.Sprintf("%.80q is no scope.", text),
			Field:   "scope",
			Advice:  "A scope is session:ID, user:ID, agent:ID, team:ID, project:ID or global.",
		})
	}
	if slices.Contains(idsOfNobody, id) {
		return nil, newError(InvalidIdentifier, Error{
			Message: fmt.Sprintf("%q is what a template writes when the id is missing: it names no %s.", text, kind),
			Field:   "scope",
			Advice:  "Pass the id that your application gives to the " + kind + ". For one that is really called so, use loci.User and the like.",
		})
	}
	return scope(v1.ScopeKind(number), id), nil
}

// Scopes are where to look. None at all is an error of the server ([ScopeRequired]), never everything.
type Scopes []*v1.Scope

// In says where to look: loci.In(loci.User("alice"), loci.Global()).
func In(scopes ...*v1.Scope) Scopes { return scopes }

// From is an assembly's recall in these scopes, as the server searches by default.
func From(scopes ...*v1.Scope) *v1.AssemblyRecall { return &v1.AssemblyRecall{Scopes: scopes} }

// SessionOf names a session that Loci keeps: two scopes may each have one of the same id.
func SessionOf(scope *v1.Scope, id string) *v1.SessionReference {
	return &v1.SessionReference{Scope: scope, Id: id}
}

// TurnsBehind asks for turns behind the last one of a session that the caller knows, 0 before the first: what
// [Sessions.Append] and [Sessions.AppendAndAssemble] take.
func TurnsBehind(session *v1.SessionReference, last int32, turns ...*v1.Turn) *v1.AppendTurnsRequest {
	return &v1.AppendTurnsRequest{Scope: session.GetScope(), Id: session.GetId(), ExpectedLastTurn: last, Turns: turns}
}
