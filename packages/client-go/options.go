package loci

import (
	"crypto/tls"
	"time"

	"google.golang.org/grpc"
)

// DialOption says how a connection is made. [Connect], [ConnectLocal], [Dial] and [DialLocal] take it.
type DialOption interface {
	Option
	dial(*dialing)
}

// Option says how a client is made. [Connect] and [ConnectLocal] take it.
type Option interface{ client(*settings) }

// WithAPIKey sends the key with every call, as "authorization: Bearer …". Default: none, or what a data directory holds.
func WithAPIKey(key string) DialOption {
	return dialOption(func(dialing *dialing) { dialing.apiKey = key })
}

// WithTLS says whom to trust, and which certificate to show. Default: plaintext on loopback, TLS with the system's
// authorities everywhere else.
func WithTLS(config *tls.Config) DialOption {
	return dialOption(func(dialing *dialing) { dialing.tls = config })
}

// WithDialOptions passes options on to gRPC, such as interceptors. They win over the client's own.
func WithDialOptions(options ...grpc.DialOption) DialOption {
	return dialOption(func(dialing *dialing) { dialing.grpc = append(dialing.grpc, options...) })
}

// WithTimeout says how long a call may take, all its attempts together, whose context has no deadline. Default 30 s.
func WithTimeout(timeout time.Duration) Option {
	return clientOption(func(settings *settings) { settings.timeout = timeout })
}

// WithConnectTimeout says how long a connection may take until the server answers. A call whose connection takes longer ends with
// [ServerUnavailable]; one that is refused is tried again. Default 5 s.
func WithConnectTimeout(timeout time.Duration) Option {
	return clientOption(func(settings *settings) { settings.connectTimeout = timeout })
}

// Retry says how often and after which pauses a call is sent again. What is zero keeps its default. A stream that has begun is
// taken up again for 60 s after it was lost, however often that is.
type Retry struct {
	// Attempts is how often a call is sent at most, the first time included. Default: as often as its time allows; by a client
	// that no server has answered yet, whose address may be wrong, 7 times, in some four seconds. 1: never again.
	Attempts int
	// FirstPause is the longest pause after the first attempt; it doubles with each. Default 100 ms.
	FirstPause time.Duration
	// LongestPause is the longest of all. Default 2 s. Half of every pause is chance.
	LongestPause time.Duration

	// patient is of one without Attempts: a call goes on until its time is over.
	patient bool
	// resume is how long a stream that was lost is taken up again, however often.
	resume time.Duration
}

// WithRetry changes how calls are repeated. What may be repeated stays the same: after [ErrUnavailable] reads, and writes
// that the server recognises; after [ErrResourceExhausted] every call that the server asks to come back later.
func WithRetry(retry Retry) Option {
	return clientOption(func(settings *settings) { settings.retry = retry })
}

// dialing is what a connection is made with.
type dialing struct {
	apiKey string
	tls    *tls.Config
	grpc   []grpc.DialOption
}

// settings are what a client is made with.
type settings struct {
	dialing
	timeout        time.Duration
	connectTimeout time.Duration
	retry          Retry
}

type dialOption func(*dialing)

func (option dialOption) dial(dialing *dialing)     { option(dialing) }
func (option dialOption) client(settings *settings) { option(&settings.dialing) }

type clientOption func(*settings)

func (option clientOption) client(settings *settings) { option(settings) }

func dialSettings(options []DialOption) dialing {
	var made dialing
	for _, option := range options {
		option.dial(&made)
	}
	return made
}

// clientSettings checks what was given and fills in the defaults.
func clientSettings(options []Option) (settings, error) {
	made := settings{timeout: 30 * time.Second, connectTimeout: 5 * time.Second}
	for _, option := range options {
		option.client(&made)
	}
	if made.timeout <= 0 {
		return made, invalidSetting("timeout", "WithTimeout takes a time above zero. Leave it out to get 30 s.")
	}
	if made.connectTimeout <= 0 {
		return made, invalidSetting("connectTimeout", "WithConnectTimeout takes a time above zero. Leave it out to get 5 s.")
	}
	if made.retry.Attempts < 0 || made.retry.FirstPause < 0 || made.retry.LongestPause < 0 {
		return made, invalidSetting("retry", "WithRetry takes no negative values. Leave them out to get the defaults.")
	}
	made.retry.fillDefaults()
	return made, nil
}

func (retry *Retry) fillDefaults() {
	if retry.Attempts == 0 {
		retry.Attempts, retry.patient = 7, true
	}
	if retry.resume == 0 {
		retry.resume = resumeTime
	}
	if retry.FirstPause == 0 {
		retry.FirstPause = 100 * time.Millisecond
	}
	if retry.LongestPause == 0 {
		retry.LongestPause = 2 * time.Second
	}
}
