package loci

import (
	"context"
	"fmt"
	"iter"

	"google.golang.org/protobuf/proto"

	v1 "loci/client-go/lociv1"
)

// Watch tells of changes as they happen, until the loop is left, the context ends, or the client is closed. When the
// connection is lost it goes on behind the last answer, as soon as the server can be reached, for up to 60 s. An answer without a change says
// that everything up to its cursor was told. With Since: &v1.WatchMemoriesRequest_Beginning{Beginning: true} it begins with all there is, else
// with what changes from now on.
func (memories *Memories) Watch(ctx context.Context, request *v1.WatchMemoriesRequest) iter.Seq2[*v1.WatchMemoriesResponse, error] {
	behind := func(answer *v1.WatchMemoriesResponse) proto.Message {
		return &v1.WatchMemoriesRequest{
			Scopes:    request.GetScopes(),
			AllScopes: request.GetAllScopes(),
			Since:     &v1.WatchMemoriesRequest_Cursor{Cursor: answer.GetCursor()},
		}
	}
	return stream(ctx, memories.server, v1.MemoryService_WatchMemories_FullMethodName, request, behind)
}

// Ids lists the ids of memories in an order, all of them, 4,096 in an answer: 16 bytes each, which [UnpackedIDs] gives as texts. An
// answer with the offset 0 begins the list: anew, when the connection was lost midway.
func (memories *Memories) Ids(ctx context.Context, request *v1.ListMemoryIdsRequest) iter.Seq2[*v1.ListMemoryIdsResponse, error] {
	// The list may be another one by now.
	anew := func(*v1.ListMemoryIdsResponse) proto.Message { return request }
	return stream(ctx, memories.server, v1.MemoryService_ListMemoryIds_FullMethodName, request, anew)
}

// UnpackedIDs gives the ids of an answer of [Memories.Ids] as texts.
func UnpackedIDs(packed []byte) []string {
	ids := make([]string, 0, len(packed)/packedIDBytes)
	for ; len(packed) >= packedIDBytes; packed = packed[packedIDBytes:] {
		ids = append(ids, fmt.Sprintf("%x-%x-%x-%x-%x", packed[:4], packed[4:6], packed[6:8], packed[8:10], packed[10:packedIDBytes]))
	}
	return ids
}

const packedIDBytes = 16

// Export reads everything that the credential's scopes cover, in the order of ids. It needs the role admin. When the
// connection is lost it goes on behind the last answer. A program that begins again says where with [AfterID].
func (memories *Memories) Export(ctx context.Context, options ...ExportOption) iter.Seq2[*v1.MemoryServiceExportMemoriesResponse, error] {
	request := &v1.MemoryServiceExportMemoriesRequest{}
	for _, option := range options {
		option.export(request)
	}
	behind := func(answer *v1.MemoryServiceExportMemoriesResponse) proto.Message {
		return &v1.MemoryServiceExportMemoriesRequest{AfterId: answer.GetId()}
	}
	return stream(ctx, memories.server, v1.MemoryService_ExportMemories_FullMethodName, request, behind)
}

// ExportOption is what [Memories.Export] takes.
type ExportOption interface {
	export(*v1.MemoryServiceExportMemoriesRequest)
}

// AfterID is the id of the last memory that was dealt with.
type AfterID string

func (id AfterID) export(request *v1.MemoryServiceExportMemoriesRequest) {
	request.AfterId = string(id)
}
