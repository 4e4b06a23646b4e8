package loci

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	v1 "loci/client-go/lociv1"
)

// RememberOption is what [Memories.Remember] takes.
type RememberOption interface{ remember(*v1.CreateMemoryRequest) }

// UpdateOption is what [Memories.Update] takes.
type UpdateOption interface{ update(*v1.UpdateMemoryRequest) }

// ConditionOption is what calls take that may depend on a version: [Etag] and [RequestID].
type ConditionOption interface {
	condition(precondition *precondition)
}

// DecisionOption is what [Reviews.Decide] takes: [Etag].
type DecisionOption interface{ decide(*v1.DecideReviewRequest) }

// WriteOption is what calls take that write and need nothing else to be said: [RequestID].
type WriteOption interface{ write(key *string) }

// ListOption is what [Memories.List] takes.
type ListOption interface{ list(*v1.ListMemoriesRequest) }

// ScopeOption is what [Memories.Scopes] takes.
type ScopeOption interface {
	scopes(*v1.ListMemoryScopesRequest)
}

// RecallOption is what [Client.Recall] takes.
type RecallOption interface {
	recall(*v1.RecallMemoriesRequest)
}

// PageOption is what lists take of which nothing else can be said: [PageSize] and [PageToken].
type PageOption interface{ page(*paging) }

type paging struct {
	size  *int32
	token string
}

func pagingOf(options []PageOption) (made paging) {
	for _, option := range options {
		option.page(&made)
	}
	return made
}

type precondition struct {
	etag *string
	key  string
}

// MemoryField is a field of a memory: [Memories.Remember] stores it, [Memories.Update] changes it.
type MemoryField struct {
	path string
	set  func(*v1.Memory)
}

func (field MemoryField) remember(request *v1.CreateMemoryRequest) { field.set(request.Memory) }

func (field MemoryField) update(request *v1.UpdateMemoryRequest) {
	field.set(request.Memory)
	request.UpdateMask.Paths = append(request.UpdateMask.Paths, field.path)
}

// Importance is 0 to 1. Default by category and origin.
func Importance(value float64) MemoryField {
	return MemoryField{"importance", func(memory *v1.Memory) { memory.Importance = &value }}
}

// Confidence is how sure it is that the memory is true, 0 to 1. Default 1.
func Confidence(value float64) MemoryField {
	return MemoryField{"confidence", func(memory *v1.Memory) { memory.Confidence = &value }}
}

// Static says whether a memory never fades with time. Default false.
func Static(value bool) MemoryField {
	return MemoryField{"is_static", func(memory *v1.Memory) { memory.IsStatic = &value }}
}

// Pinned says whether a memory stands in every context of its scope. At most 50 a scope. Default false.
func Pinned(value bool) MemoryField {
	return MemoryField{"is_pinned", func(memory *v1.Memory) { memory.IsPinned = &value }}
}

// Tags are at most 32, of 1 to 64 bytes.
func Tags(tags ...string) MemoryField {
	return MemoryField{"tags", func(memory *v1.Memory) { memory.Tags = tags }}
}

// Slot is what the memory is the value of, such as "theme". Memories of one slot contradict each other.
func Slot(name string) MemoryField {
	return MemoryField{"slot", func(memory *v1.Memory) { memory.Slot = &name }}
}

// Source is what the memory cites.
func Source(provenance *v1.Provenance) MemoryField {
	return MemoryField{"provenance", func(memory *v1.Memory) { memory.Provenance = provenance }}
}

// Metadata are all fields of your own, at most 40 KiB. See [Value].
func Metadata(fields map[string]*v1.Value) MemoryField {
	return MemoryField{"metadata", func(memory *v1.Memory) { memory.Metadata = fields }}
}

// ValidFrom is when the memory began to be true.
func ValidFrom(moment time.Time) MemoryField {
	return MemoryField{"valid_from", func(memory *v1.Memory) { memory.ValidFrom = timestamppb.New(moment) }}
}

// ValidTo is when the memory ceased to be true; exclusive.
func ValidTo(moment time.Time) MemoryField {
	return MemoryField{"valid_to", func(memory *v1.Memory) { memory.ValidTo = timestamppb.New(moment) }}
}

// Expires is from when on the memory is neither recalled nor listed.
func Expires(moment time.Time) MemoryField {
	return MemoryField{"expire_time", func(memory *v1.Memory) { memory.ExpireTime = timestamppb.New(moment) }}
}

// SupersededBy is the id of the memory that took this one's place.
func SupersededBy(id string) MemoryField {
	return MemoryField{"superseded_by", func(memory *v1.Memory) { memory.SupersededBy = &id }}
}

// GivenField is a field that is fixed once the memory exists. Only [Memories.Remember] takes it.
type GivenField func(*v1.Memory)

func (field GivenField) remember(request *v1.CreateMemoryRequest) { field(request.Memory) }

// Key is what the application calls the memory: 1 to 512 bytes of UTF-8 without NUL, unlike those of all other memories of the
// scope.
func Key(key string) GivenField {
	return func(memory *v1.Memory) { memory.Key = &key }
}

// WithKey names the memory that has the key in the scope, for [Memories.Update].
func WithKey(scope *v1.Scope, key string) *v1.Memory {
	return &v1.Memory{Scope: scope, Key: &key}
}

// AllowMissing has [Memories.Update] make the memory when the scope has none with the key, and else change the one there is,
// whatever its version. Of several calls at once one makes it. It stands in place of an etag.
type AllowMissing struct{}

func (AllowMissing) update(request *v1.UpdateMemoryRequest) { request.AllowMissing = true }

// FromOrigin says where the memory came from. Default ORIGIN_MANUAL.
func FromOrigin(origin v1.Origin) GivenField {
	return func(memory *v1.Memory) { memory.Origin = origin }
}

// Trusted says whether the words are the caller's own. Default TRUST_TRUSTED.
func Trusted(trust v1.Trust) GivenField {
	return func(memory *v1.Memory) { memory.Trust = trust }
}

// SaidAt is when it was said. Default now.
func SaidAt(moment time.Time) GivenField {
	return func(memory *v1.Memory) { memory.CreateTime = timestamppb.New(moment) }
}

// Repeating says what becomes of a text that a memory of the scope says already. Default REPEAT_REFRESH.
func Repeating(repeat v1.Repeat) GivenField {
	return func(memory *v1.Memory) { memory.Repeat = repeat }
}

// Text is the new text of a memory.
type Text string

func (text Text) update(request *v1.UpdateMemoryRequest) {
	request.Memory.Text = string(text)
	request.UpdateMask.Paths = append(request.UpdateMask.Paths, "text")
}

// Remove empties a field of a memory, by its name in the contract, such as "slot" or "expire_time".
type Remove string

func (path Remove) update(request *v1.UpdateMemoryRequest) {
	request.UpdateMask.Paths = append(request.UpdateMask.Paths, string(path))
}

// Category is fact, decision, preference, entity, procedure, note, learning, or a lower-case word of your own. A memory has
// one, by default fact; lists and recalls may be of several, by default all.
type Category string

func (category Category) remember(request *v1.CreateMemoryRequest) {
	request.Memory.Category = (*string)(&category)
}

func (category Category) update(request *v1.UpdateMemoryRequest) {
	request.Memory.Category = (*string)(&category)
	request.UpdateMask.Paths = append(request.UpdateMask.Paths, "category")
}

func (category Category) list(request *v1.ListMemoriesRequest) {
	request.Categories = append(request.Categories, string(category))
}

func (category Category) recall(request *v1.RecallMemoriesRequest) {
	request.Options.Categories = append(request.Options.Categories, string(category))
}

// RequestID is the idempotency key of a write, 1 to 200 bytes: the same key with the same request gives the first answer
// again for 7 days. Default: a new UUID for each call, the same in all its attempts.
type RequestID string

func (key RequestID) remember(request *v1.CreateMemoryRequest) { request.RequestId = string(key) }
func (key RequestID) update(request *v1.UpdateMemoryRequest)   { request.RequestId = string(key) }
func (key RequestID) condition(precondition *precondition)     { precondition.key = string(key) }
func (key RequestID) write(written *string)                    { *written = string(key) }

// Etag is that of the version that was read: when it is not the current one any more, the call fails with [ErrConflict].
type Etag string

func (etag Etag) condition(precondition *precondition)   { precondition.etag = (*string)(&etag) }
func (etag Etag) decide(request *v1.DecideReviewRequest) { request.Etag = (*string)(&etag) }
func (etag Etag) update(request *v1.UpdateMemoryRequest) { request.Memory.Etag = string(etag) }

// AsOf is the "now" of every score, and of what has expired. Default now.
type AsOf time.Time

func (moment AsOf) list(request *v1.ListMemoriesRequest) {
	request.EvaluationTime = timestamppb.New(time.Time(moment))
}

func (moment AsOf) recall(request *v1.RecallMemoriesRequest) {
	request.EvaluationTime = timestamppb.New(time.Time(moment))
}

// ValidAt asks only for what was true then. Default of recalls: as of now; of lists: everything, closed memories too.
type ValidAt time.Time

func (moment ValidAt) list(request *v1.ListMemoriesRequest) {
	request.ValidAt = timestamppb.New(time.Time(moment))
}

func (moment ValidAt) recall(request *v1.RecallMemoriesRequest) {
	request.Options.ValidAt = timestamppb.New(time.Time(moment))
}

// InState asks for memories in a state; lists may be of several, by default of active ones. MEMORY_STATE_QUARANTINED needs the
// role approve, too; MEMORY_STATE_DELETED gives tombstones.
type InState v1.MemoryState

func (state InState) list(request *v1.ListMemoriesRequest) {
	request.States = append(request.States, v1.MemoryState(state))
}

// PageSize is the most there are on a page, 1 to 1,000. Large ones end a page earlier.
type PageSize int32

func (size PageSize) list(request *v1.ListMemoriesRequest) { request.PageSize = (*int32)(&size) }
func (size PageSize) page(paging *paging)                  { paging.size = (*int32)(&size) }

func (size PageSize) scopes(request *v1.ListMemoryScopesRequest) { request.PageSize = (*int32)(&size) }

// PageToken is the next_page_token of the page before the first that is wanted.
type PageToken string

func (token PageToken) list(request *v1.ListMemoriesRequest) { request.PageToken = string(token) }
func (token PageToken) page(paging *paging)                  { paging.token = string(token) }

func (token PageToken) scopes(request *v1.ListMemoryScopesRequest) { request.PageToken = string(token) }

// OfKind asks for scopes of one kind. Default: every kind.
type OfKind v1.ScopeKind

func (kind OfKind) scopes(request *v1.ListMemoryScopesRequest) { request.Kind = v1.ScopeKind(kind) }

// keyOf gives the idempotency key of a write: the caller's own, or a new one.
func keyOf(options []WriteOption) string {
	var key string
	for _, option := range options {
		option.write(&key)
	}
	if key == "" {
		return newRequestID()
	}
	return key
}

// preconditionOf gives which version must be current, and the idempotency key.
func preconditionOf(options []ConditionOption) precondition {
	var made precondition
	for _, option := range options {
		option.condition(&made)
	}
	if made.key == "" {
		made.key = newRequestID()
	}
	return made
}
