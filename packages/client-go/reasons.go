// Code generated from packages/domain/src/error-reasons.ts by npm run generate. DO NOT EDIT.

package loci

// Reason says exactly why a call failed. Each is a sentinel: errors.Is(err, loci.VersionConflict). A later server may give
// others, which keep their text.
type Reason string

// Every reason that this version knows.
const (
	InvalidIdentifier        Reason = "INVALID_IDENTIFIER"
	InvalidScope             Reason = "INVALID_SCOPE"
	ScopeRequired            Reason = "SCOPE_REQUIRED"
	InvalidCategory          Reason = "INVALID_CATEGORY"
	InvalidText              Reason = "INVALID_TEXT"
	TextTooLarge             Reason = "TEXT_TOO_LARGE"
	InvalidNumber            Reason = "INVALID_NUMBER"
	InvalidInstant           Reason = "INVALID_INSTANT"
	InvalidTags              Reason = "INVALID_TAGS"
	SecretRefused            Reason = "SECRET_REFUSED"
	InvalidMetadata          Reason = "INVALID_METADATA"
	MetadataTooLarge         Reason = "METADATA_TOO_LARGE"
	InvalidFilter            Reason = "INVALID_FILTER"
	InvalidMessages          Reason = "INVALID_MESSAGES"
	InvalidLayout            Reason = "INVALID_LAYOUT"
	InvalidBudget            Reason = "INVALID_BUDGET"
	InvalidRequest           Reason = "INVALID_REQUEST"
	InvalidVector            Reason = "INVALID_VECTOR"
	InvalidPageToken         Reason = "INVALID_PAGE_TOKEN"
	InvalidCursor            Reason = "INVALID_CURSOR"
	ReservedDelimiter        Reason = "RESERVED_DELIMITER"
	RequestIDReused          Reason = "REQUEST_ID_REUSED"
	InvalidConfiguration     Reason = "INVALID_CONFIGURATION"
	InvalidBlock             Reason = "INVALID_BLOCK"
	InvalidBlockText         Reason = "INVALID_BLOCK_TEXT"
	InvalidSchema            Reason = "INVALID_SCHEMA"
	SessionMismatch          Reason = "SESSION_MISMATCH"
	MemoryNotFound           Reason = "MEMORY_NOT_FOUND"
	VersionNotFound          Reason = "VERSION_NOT_FOUND"
	CollectionNotFound       Reason = "COLLECTION_NOT_FOUND"
	SessionNotFound          Reason = "SESSION_NOT_FOUND"
	CaptureNotFound          Reason = "CAPTURE_NOT_FOUND"
	ReviewNotFound           Reason = "REVIEW_NOT_FOUND"
	ReceiptNotFound          Reason = "RECEIPT_NOT_FOUND"
	FileNotFound             Reason = "FILE_NOT_FOUND"
	OperationNotFound        Reason = "OPERATION_NOT_FOUND"
	DataDirectoryMissing     Reason = "DATA_DIRECTORY_MISSING"
	BlockNotFound            Reason = "BLOCK_NOT_FOUND"
	EditNotFound             Reason = "EDIT_NOT_FOUND"
	SchemaNotFound           Reason = "SCHEMA_NOT_FOUND"
	MemoryExists             Reason = "MEMORY_EXISTS"
	SessionExists            Reason = "SESSION_EXISTS"
	BlockExists              Reason = "BLOCK_EXISTS"
	SchemaExists             Reason = "SCHEMA_EXISTS"
	VersionConflict          Reason = "VERSION_CONFLICT"
	TurnConflict             Reason = "TURN_CONFLICT"
	EditConflict             Reason = "EDIT_CONFLICT"
	LeaseLost                Reason = "LEASE_LOST"
	SectionOverBudget        Reason = "SECTION_OVER_BUDGET"
	WindowTooSmall           Reason = "WINDOW_TOO_SMALL"
	QueryTooLarge            Reason = "QUERY_TOO_LARGE"
	HistoryTooLarge          Reason = "HISTORY_TOO_LARGE"
	KeptMessagesTooLarge     Reason = "KEPT_MESSAGES_TOO_LARGE"
	BudgetExceeded           Reason = "BUDGET_EXCEEDED"
	UsageCapReached          Reason = "USAGE_CAP_REACHED"
	TooManyPinned            Reason = "TOO_MANY_PINNED"
	TooManyVersions          Reason = "TOO_MANY_VERSIONS"
	TooManyMemories          Reason = "TOO_MANY_MEMORIES"
	SessionClosed            Reason = "SESSION_CLOSED"
	TurnStateCorrupt         Reason = "TURN_STATE_CORRUPT"
	CaptureNotUndoable       Reason = "CAPTURE_NOT_UNDOABLE"
	DataDirectoryLocked      Reason = "DATA_DIRECTORY_LOCKED"
	DataDirectoryMoved       Reason = "DATA_DIRECTORY_MOVED"
	DataDirectoryCorrupt     Reason = "DATA_DIRECTORY_CORRUPT"
	DataDirectoryTooNew      Reason = "DATA_DIRECTORY_TOO_NEW"
	EncryptionKeyMissing     Reason = "ENCRYPTION_KEY_MISSING"
	EmbeddingSpaceMismatch   Reason = "EMBEDDING_SPACE_MISMATCH"
	MemoryErased             Reason = "MEMORY_ERASED"
	ModelFileInvalid         Reason = "MODEL_FILE_INVALID"
	CursorExpired            Reason = "CURSOR_EXPIRED"
	Closed                   Reason = "CLOSED"
	EditNotPending           Reason = "EDIT_NOT_PENDING"
	BlockReadOnly            Reason = "BLOCK_READ_ONLY"
	BlockLimitExceeded       Reason = "BLOCK_LIMIT_EXCEEDED"
	SchemaInUse              Reason = "SCHEMA_IN_USE"
	JobInterrupted           Reason = "JOB_INTERRUPTED"
	ScopeNotPermitted        Reason = "SCOPE_NOT_PERMITTED"
	RoleRequired             Reason = "ROLE_REQUIRED"
	CredentialMissing        Reason = "CREDENTIAL_MISSING"
	CredentialInvalid        Reason = "CREDENTIAL_INVALID"
	CredentialExpired        Reason = "CREDENTIAL_EXPIRED"
	TooManyRequests          Reason = "TOO_MANY_REQUESTS"
	MessageTooLarge          Reason = "MESSAGE_TOO_LARGE"
	DiskFull                 Reason = "DISK_FULL"
	UnsupportedOperation     Reason = "UNSUPPORTED_OPERATION"
	StoreUnavailable         Reason = "STORE_UNAVAILABLE"
	EmbedderUnavailable      Reason = "EMBEDDER_UNAVAILABLE"
	LanguageModelUnavailable Reason = "LANGUAGE_MODEL_UNAVAILABLE"
	ServerUnavailable        Reason = "SERVER_UNAVAILABLE"
	DeadlineExceeded         Reason = "DEADLINE_EXCEEDED"
	Cancelled                Reason = "CANCELLED"
	Internal                 Reason = "INTERNAL"
)

// Error gives the reason's own name.
func (reason Reason) Error() string { return string(reason) }

// code gives the kind of failure that the reason is of.
func (reason Reason) code() Code {
	switch reason {
	case InvalidIdentifier,
		InvalidScope,
		ScopeRequired,
		InvalidCategory,
		InvalidText,
		TextTooLarge,
		InvalidNumber,
		InvalidInstant,
		InvalidTags,
		SecretRefused,
		InvalidMetadata,
		MetadataTooLarge,
		InvalidFilter,
		InvalidMessages,
		InvalidLayout,
		InvalidBudget,
		InvalidRequest,
		InvalidVector,
		InvalidPageToken,
		InvalidCursor,
		ReservedDelimiter,
		RequestIDReused,
		InvalidConfiguration,
		InvalidBlock,
		InvalidBlockText,
		InvalidSchema,
		SessionMismatch:
		return ErrInvalidArgument
	case MemoryNotFound,
		VersionNotFound,
		CollectionNotFound,
		SessionNotFound,
		CaptureNotFound,
		ReviewNotFound,
		ReceiptNotFound,
		FileNotFound,
		OperationNotFound,
		DataDirectoryMissing,
		BlockNotFound,
		EditNotFound,
		SchemaNotFound:
		return ErrNotFound
	case MemoryExists,
		SessionExists,
		BlockExists,
		SchemaExists:
		return ErrAlreadyExists
	case VersionConflict,
		TurnConflict,
		EditConflict,
		LeaseLost:
		return ErrConflict
	case SectionOverBudget,
		WindowTooSmall,
		QueryTooLarge,
		HistoryTooLarge,
		KeptMessagesTooLarge,
		BudgetExceeded,
		UsageCapReached,
		TooManyPinned,
		TooManyVersions,
		TooManyMemories,
		SessionClosed,
		TurnStateCorrupt,
		CaptureNotUndoable,
		DataDirectoryLocked,
		DataDirectoryMoved,
		DataDirectoryCorrupt,
		DataDirectoryTooNew,
		EncryptionKeyMissing,
		EmbeddingSpaceMismatch,
		MemoryErased,
		ModelFileInvalid,
		CursorExpired,
		Closed,
		EditNotPending,
		BlockReadOnly,
		BlockLimitExceeded,
		SchemaInUse,
		JobInterrupted:
		return ErrFailedPrecondition
	case ScopeNotPermitted,
		RoleRequired:
		return ErrPermissionDenied
	case CredentialMissing,
		CredentialInvalid,
		CredentialExpired:
		return ErrUnauthenticated
	case TooManyRequests,
		MessageTooLarge,
		DiskFull:
		return ErrResourceExhausted
	case UnsupportedOperation:
		return ErrUnsupported
	case StoreUnavailable,
		EmbedderUnavailable,
		LanguageModelUnavailable,
		ServerUnavailable:
		return ErrUnavailable
	case DeadlineExceeded:
		return ErrDeadlineExceeded
	case Cancelled:
		return ErrCancelled
	case Internal:
		return ErrInternal
	default:
		return ErrInternal
	}
}
