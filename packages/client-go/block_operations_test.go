package loci

import (
	"testing"

	"loci/client-go/lociv1"
)

func TestBlockOperationsAreOfTheContract(t *testing.T) {
	text := func(text string) *lociv1.BlockValue {
		return &lociv1.BlockValue{Kind: &lociv1.BlockValue_Text{Text: text}}
	}
	for made, expected := range map[*lociv1.BlockOperation]*lociv1.BlockOperation{
		SetTo("name", BlockValue("Alicia")): {
			Op: lociv1.BlockOperationKind_BLOCK_OPERATION_KIND_SET, Field: "name", Value: text("Alicia"),
		},
		AppendTo("preferences", "short answers"): {
			Op: lociv1.BlockOperationKind_BLOCK_OPERATION_KIND_APPEND, Field: "preferences", Value: text("short answers"),
		},
		RemoveFrom("preferences", "tea"): {
			Op: lociv1.BlockOperationKind_BLOCK_OPERATION_KIND_REMOVE, Field: "preferences", Value: text("tea"),
		},
		ReplaceIn("preferences", "tea", "coffee"): {
			Op: lociv1.BlockOperationKind_BLOCK_OPERATION_KIND_REPLACE, Field: "preferences", Old: new("tea"), Value: text("coffee"),
		},
	} {
		expectEqual(t, made, expected)
	}
}

func TestBlockValuesAreOfTheContract(t *testing.T) {
	content := Holding(map[string]*lociv1.BlockValue{
		"name": BlockValue("Alice"), "age": BlockValue(41), "member": BlockValue(false), "facts": BlockEntries("Lives in Oslo."),
	})
	expectEqual(t, content.Values, &lociv1.BlockValues{Values: map[string]*lociv1.BlockValue{
		"name":   {Kind: &lociv1.BlockValue_Text{Text: "Alice"}},
		"age":    {Kind: &lociv1.BlockValue_Number{Number: 41}},
		"member": {Kind: &lociv1.BlockValue_Boolean{Boolean: false}},
		"facts":  {Kind: &lociv1.BlockValue_Entries{Entries: &lociv1.BlockEntries{Entries: []string{"Lives in Oslo."}}}},
	}})
}

func TestAMessageIsPlainText(t *testing.T) {
	message := Message(lociv1.ChatRole_CHAT_ROLE_USER, "When does the ferry leave?")
	if message.GetContent() != "When does the ferry leave?" || message.GetRole() != lociv1.ChatRole_CHAT_ROLE_USER {
		t.Errorf("made %v", message)
	}
}
