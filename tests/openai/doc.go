// Package openai stands in for model servers: it answers as they do, without a
// model. It speaks what OpenAI's clients speak (completions, of chats too, responses
// and models) and what Anthropic's do (messages), at once or in a stream.
//
// An answer says who gives it, in its text and in HeaderServedBy. Who asks may
// have it come slowly, in many chunks, or not at all: by HeaderDelay, HeaderChunks
// and HeaderStatus. What was asked is recorded, for tests to read.
//
// The package deliberately checks nothing of what it is asked, and knows nothing
// of clusters or pods.
package openai
