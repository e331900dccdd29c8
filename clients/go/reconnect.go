package glyphwire

import (
	"crypto/rand"
	"encoding/binary"
	"math"
	"time"
)

// ReconnectPolicy is how a lost connection is made again: after pauses that grow with each attempt in a row.
//
// A frame that was sent and not answered is not sent again. Its result has the code "connection_lost", so that every
// frame has exactly one result.
type ReconnectPolicy struct {
	// MaxAttempts is how many attempts in a row may fail before the connection is given up.
	MaxAttempts int
	// InitialDelay is the pause before the first attempt.
	InitialDelay time.Duration
	// Multiplier is the factor from one pause to the next.
	Multiplier float64
	// MaxDelay is the longest pause.
	MaxDelay time.Duration
	// Jitter is the part of a pause that is random, so that many clients do not return at once.
	Jitter float64
}

// DefaultReconnectPolicy returns the pauses that Protocol.md recommends (rule X2).
func DefaultReconnectPolicy() *ReconnectPolicy {
	return &ReconnectPolicy{
		MaxAttempts:  10,
		InitialDelay: 100 * time.Millisecond,
		Multiplier:   2,
		MaxDelay:     10 * time.Second,
		Jitter:       0.2,
	}
}

// Delay returns the pause before an attempt, of which the first since the loss is 1.
func (p *ReconnectPolicy) Delay(attempt int) time.Duration {
	return p.delay(attempt, chance())
}

// chance returns a number of 0...1. The generator of math/rand would be the same in every process without a seed.
func chance() float64 {
	var bytes [4]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		return 0
	}
	return float64(binary.BigEndian.Uint32(bytes[:])) / math.MaxUint32
}

func (p *ReconnectPolicy) delay(attempt int, chance float64) time.Duration {
	growth := math.Pow(math.Max(p.Multiplier, 1), float64(attempt-1))
	regular := math.Min(float64(p.InitialDelay)*growth, float64(p.MaxDelay))
	return time.Duration(regular * (1 - math.Min(math.Max(p.Jitter, 0), 1)*chance))
}
