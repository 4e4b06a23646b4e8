package loci

import v1 "loci/client-go/lociv1"

// Message is a message of a conversation in plain text, for an assembly. What calls tools, answers for one or shows an image is
// made as [v1.ChatMessage].
func Message(role v1.ChatRole, content string) *v1.ChatMessage {
	return &v1.ChatMessage{Role: role, Body: &v1.ChatMessage_Content{Content: content}}
}
