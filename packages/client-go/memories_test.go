package loci

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"loci/client-go/lociv1"
)

// sentBy gives the only request of a call.
func sentBy[Request proto.Message](t *testing.T, answer proto.Message, call func(*Client) error) Request {
	t.Helper()
	server := serveScript(t, failing(0, nil, answer))
	if err := call(connect(t, server.address)); err != nil {
		t.Fatal(err)
	}
	return server.received()[0].request.(Request)
}

func expectEqual(t *testing.T, sent, expected proto.Message) {
	t.Helper()
	if !proto.Equal(sent, expected) {
		t.Errorf("sent %v\nexpected %v", sent, expected)
	}
}

var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func TestRememberSendsWhatItsOptionsSay(t *testing.T) {
	sent := sentBy[*lociv1.CreateMemoryRequest](t, &lociv1.CreateMemoryResponse{}, func(client *Client) error {
		_, err := client.Memories.Remember(t.Context(), "Deploys are on Thursdays.", Project("billing"),
			Category("decision"), Importance(0), Static(false), Pinned(true), Confidence(0.5), Tags("deploy", "day"), Slot("day"),
			Source(&lociv1.Provenance{SourceId: "ADR-007", Kind: lociv1.ProvenanceKind_PROVENANCE_KIND_ADR}),
			Metadata(map[string]*lociv1.Value{"n": Value(1), "x": Value(0.5), "b": Value(true), "s": Value("text")}),
			ValidFrom(noon), ValidTo(noon), Expires(noon), SupersededBy("b"), SaidAt(noon),
			FromOrigin(lociv1.Origin_ORIGIN_IMPORT), Trusted(lociv1.Trust_TRUST_UNTRUSTED), Repeating(lociv1.Repeat_REPEAT_ADD),
			RequestID("mine"))
		return err
	})
	at := timestamppb.New(noon)
	expectEqual(t, sent, &lociv1.CreateMemoryRequest{RequestId: "mine", Memory: &lociv1.Memory{
		Text: "Deploys are on Thursdays.", Scope: &lociv1.Scope{Kind: lociv1.ScopeKind_SCOPE_KIND_PROJECT, Id: "billing"},
		Category: new("decision"), Importance: new(0.0), IsStatic: new(false), IsPinned: new(true), Confidence: new(0.5),
		Tags: []string{"deploy", "day"}, Slot: new("day"),
		Provenance: &lociv1.Provenance{SourceId: "ADR-007", Kind: lociv1.ProvenanceKind_PROVENANCE_KIND_ADR},
		Metadata: map[string]*lociv1.Value{
			"n": {Kind: &lociv1.Value_Number{Number: 1}}, "x": {Kind: &lociv1.Value_Number{Number: 0.5}},
			"b": {Kind: &lociv1.Value_Boolean{Boolean: true}}, "s": {Kind: &lociv1.Value_Text{Text: "text"}},
		},
		ValidFrom: at, ValidTo: at, ExpireTime: at, SupersededBy: new("b"), CreateTime: at,
		Origin: lociv1.Origin_ORIGIN_IMPORT, Trust: lociv1.Trust_TRUST_UNTRUSTED, Repeat: lociv1.Repeat_REPEAT_ADD,
	}})
}

func TestUpdateNamesWhatChangesAndSendsTheMemorysEtag(t *testing.T) {
	read := &lociv1.Memory{Id: "a", Etag: "7", Text: "old", Importance: new(0.1), Tags: []string{"kept"}}
	sent := sentBy[*lociv1.UpdateMemoryRequest](t, &lociv1.UpdateMemoryResponse{}, func(client *Client) error {
		_, err := client.Memories.Update(t.Context(), read, Text("new"), Category("fact"), Importance(0.9), Remove("slot"), RequestID("mine"))
		return err
	})
	expectEqual(t, sent, &lociv1.UpdateMemoryRequest{
		RequestId:  "mine",
		Memory:     &lociv1.Memory{Id: "a", Etag: "7", Text: "new", Category: new("fact"), Importance: new(0.9)},
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"text", "category", "importance", "slot"}},
	})
}

func TestForgetMaySayAtWhichVersion(t *testing.T) {
	sent := sentBy[*lociv1.DeleteMemoryRequest](t, &lociv1.DeleteMemoryResponse{}, func(client *Client) error {
		return client.Memories.Forget(t.Context(), "a", Etag("7"), RequestID("mine"))
	})
	expectEqual(t, sent, &lociv1.DeleteMemoryRequest{Id: "a", Etag: new("7"), RequestId: "mine"})
}

func TestRecallSendsWhatItsOptionsSay(t *testing.T) {
	given := &lociv1.RecallOptions{MaxTokensPerMemory: new(int32(9))}
	where := And(Or(Equals("category", "decision"), Not(AtLeast("importance", 0.5))), OneOf("tags", "a", "b"))
	sent := sentBy[*lociv1.RecallMemoriesRequest](t, &lociv1.RecallMemoriesResponse{}, func(client *Client) error {
		_, err := client.Recall(t.Context(), "When?", In(User("ann"), Global()), Searching(given), Where(where), Category("fact"),
			Category("note"), Limit(3), MaxTokens(100), AsOf(noon), ValidAt(noon), KnownAt(noon), Explain(true), Account("a", "b"), RecordUsage(false))
		return err
	})
	at := timestamppb.New(noon)
	comparison := func(field string, operator lociv1.FilterOperator, values ...*lociv1.Value) *lociv1.Filter {
		compared := &lociv1.FilterComparison{Field: field, Operator: operator, Values: values}
		return &lociv1.Filter{Kind: &lociv1.Filter_Comparison{Comparison: compared}}
	}
	text := func(text string) *lociv1.Value { return &lociv1.Value{Kind: &lociv1.Value_Text{Text: text}} }
	half := &lociv1.Value{Kind: &lociv1.Value_Number{Number: 0.5}}
	notImportant := &lociv1.Filter{Kind: &lociv1.Filter_Not{Not: comparison("importance", lociv1.FilterOperator_FILTER_OPERATOR_AT_LEAST, half)}}
	either := &lociv1.Filter{Kind: &lociv1.Filter_Any{Any: &lociv1.FilterList{Filters: []*lociv1.Filter{
		comparison("category", lociv1.FilterOperator_FILTER_OPERATOR_EQUALS, text("decision")), notImportant,
	}}}}
	expectEqual(t, sent, &lociv1.RecallMemoriesRequest{
		Question: &lociv1.RecallMemoriesRequest_Query{Query: "When?"},
		Scopes:   []*lociv1.Scope{{Kind: lociv1.ScopeKind_SCOPE_KIND_USER, Id: "ann"}, {Kind: lociv1.ScopeKind_SCOPE_KIND_GLOBAL}},
		Options: &lociv1.RecallOptions{
			MaxTokensPerMemory: new(int32(9)), Categories: []string{"fact", "note"}, Limit: new(int32(3)), MaxTokens: new(int32(100)),
			ValidAt: at, KnownAt: at, Where: &lociv1.Filter{Kind: &lociv1.Filter_All{All: &lociv1.FilterList{Filters: []*lociv1.Filter{
				either, comparison("tags", lociv1.FilterOperator_FILTER_OPERATOR_IN, text("a"), text("b")),
			}}}},
		},
		EvaluationTime: at, Explain: new(true), Also: []string{"a", "b"}, RecordUsage: new(false),
	})
	if given.Limit != nil {
		t.Error("the caller's own options were changed")
	}
}

// book has three pages, and then fails or ends.
func book(failure error) script {
	return func(call received, _ int) (proto.Message, error) {
		request := call.request.(*lociv1.ListMemoriesRequest)
		number, _ := strconv.Atoi(request.GetPageToken())
		if number == 2 && failure != nil {
			return nil, failure
		}
		answer := &lociv1.ListMemoriesResponse{Memories: []*lociv1.Memory{{Text: strconv.Itoa(2 * number)}, {Text: strconv.Itoa(2*number + 1)}}}
		if number < 2 {
			answer.NextPageToken = strconv.Itoa(number + 1)
		}
		return answer, nil
	}
}

func TestListAsksForPagesAsTheyAreNeeded(t *testing.T) {
	server := serveScript(t, book(nil))
	client := connect(t, server.address)
	var texts string
	for memory, err := range client.Memories.List(t.Context(), In(User("ann")), PageSize(2), Category("fact"), AsOf(noon),
		ValidAt(noon), InState(lociv1.MemoryState_MEMORY_STATE_ACTIVE), InState(lociv1.MemoryState_MEMORY_STATE_DELETED)) {
		if err != nil {
			t.Fatal(err)
		}
		texts += memory.GetText()
	}
	if calls := server.received(); texts != "012345" || len(calls) != 3 {
		t.Errorf("%q in %d calls", texts, len(calls))
	}
	for number, call := range server.received() {
		expected := &lociv1.ListMemoriesRequest{
			Scopes: In(User("ann")), PageSize: new(int32(2)), Categories: []string{"fact"}, EvaluationTime: timestamppb.New(noon),
			ValidAt: timestamppb.New(noon),
			States:  []lociv1.MemoryState{lociv1.MemoryState_MEMORY_STATE_ACTIVE, lociv1.MemoryState_MEMORY_STATE_DELETED},
		}
		if number > 0 {
			expected.PageToken = strconv.Itoa(number)
		}
		expectEqual(t, call.request, expected)
	}
	for memory := range client.Memories.List(t.Context(), In(User("ann")), PageToken("1")) {
		if memory.GetText() == "3" {
			break
		}
	}
	if calls := len(server.received()); calls != 4 {
		t.Errorf("leaving the loop cost %d calls", calls-3)
	}
}

func TestScopesSendsWhatItsOptionsSay(t *testing.T) {
	answer := &lociv1.ListMemoryScopesResponse{Scopes: []*lociv1.ScopeMemories{{Scope: User("ann"), Memories: 5}}}
	var found []*lociv1.ScopeMemories
	sent := sentBy[*lociv1.ListMemoryScopesRequest](t, answer, func(client *Client) error {
		for each, err := range client.Memories.Scopes(t.Context(), OfKind(lociv1.ScopeKind_SCOPE_KIND_USER), PageSize(7), PageToken("here")) {
			if err != nil {
				return err
			}
			found = append(found, each)
		}
		return nil
	})
	expectEqual(t, sent, &lociv1.ListMemoryScopesRequest{Kind: lociv1.ScopeKind_SCOPE_KIND_USER, PageSize: new(int32(7)), PageToken: "here"})
	if len(found) != 1 || !proto.Equal(found[0], answer.Scopes[0]) {
		t.Errorf("found %v", found)
	}
}

func TestAnErrorEndsAList(t *testing.T) {
	server := serveScript(t, book(refusal(codes.InvalidArgument, "INVALID_PAGE_TOKEN", "Too old.")))
	var ended error
	texts, pages := 0, 0
	for memory, err := range connect(t, server.address).Memories.List(t.Context(), In(User("ann"))) {
		if ended = err; err == nil && memory != nil {
			texts++
		}
	}
	if !errors.Is(ended, InvalidPageToken) || texts != 4 {
		t.Errorf("%v after %d", ended, texts)
	}
	for page, err := range connect(t, server.address).Memories.Pages(t.Context(), In(User("ann"))) {
		if ended = err; page != nil {
			pages++
		}
	}
	if !errors.Is(ended, InvalidPageToken) || pages != 2 {
		t.Errorf("%v after %d pages", ended, pages)
	}
}

func TestReadsScopesAsPeopleWriteThem(t *testing.T) {
	for text, expected := range map[string]*lociv1.Scope{
		"user:alice": User("alice"), "project:a:b": Project("a:b"), "global": Global(), "agent:": Agent(""),
		"team:x": Team("x"), "session:s": Session("s"),
	} {
		if parsed, err := ParseScope(text); err != nil || !proto.Equal(parsed, expected) {
			t.Errorf("%q is %v, %v", text, parsed, err)
		}
	}
	for _, text := range []string{"", "user", "User:alice", "tenant:a", "unspecified:a", "global:a", ":a"} {
		if parsed, err := ParseScope(text); !errors.Is(err, InvalidScope) {
			t.Errorf("%q is %v, %v", text, parsed, err)
		}
	}
}

func TestRefusesWhatATemplateWritesWithoutAnId(t *testing.T) {
	for _, text := range []string{"user:<nil>", "user:undefined", "project:None", fmt.Sprintf("user:%v", nil)} {
		if parsed, err := ParseScope(text); !errors.Is(err, InvalidIdentifier) {
			t.Errorf("%q is %v, %v", text, parsed, err)
		}
	}
	if id := User("None").GetId(); id != "None" {
		t.Errorf("%q", id)
	}
}

func TestPackedIdsAreGivenAsTexts(t *testing.T) {
	packed, err := hex.DecodeString("0190a1b2c3d47e5f8091a2b3c4d5e6f7fedcba98765473218fedcba987654321")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0190a1b2-c3d4-7e5f-8091-a2b3c4d5e6f7", "fedcba98-7654-7321-8fed-cba987654321"}
	if got := UnpackedIDs(packed); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := UnpackedIDs(packed[:31]); !slices.Equal(got, want[:1]) {
		t.Errorf("of one id and a part of another: got %v, want %v", got, want[:1])
	}
}
