package openai

import (
	"strings"
	"time"
)

// object of JSON.
type object = map[string]any

// An answer, before it is put into words.
type answer struct {
	model  string
	chunks []string
}

func (a answer) text() string { return strings.Join(a.chunks, "") }

// A dialect puts answers into words.
type dialect struct {
	whole  func(answer) object
	events func(answer) []event
}

// dialects by the path that is asked.
func dialects() map[string]dialect {
	return map[string]dialect{
		"/v1/chat/completions": {whole: chat, events: chatEvents},
		"/v1/completions":      {whole: completion, events: completionEvents},
		"/v1/messages":         {whole: message, events: messageEvents},
		"/v1/responses":        {whole: response, events: responseEvents},
	}
}

// done is how OpenAI's streams end.
const done = "[DONE]"

func chat(a answer) object {
	return choice(a, "chat.completion", object{"index": 0, "message": object{"role": "assistant", "content": a.text()}, "finish_reason": "stop"})
}

func chatEvents(a answer) []event {
	var out []event
	for _, c := range a.chunks {
		out = append(out, event{chunk: true, data: choice(a, "chat.completion.chunk", object{
			"index": 0, "delta": object{"role": "assistant", "content": c}, "finish_reason": nil,
		})})
	}
	end := choice(a, "chat.completion.chunk", object{"index": 0, "delta": object{}, "finish_reason": "stop"})
	return append(out, event{data: end}, event{data: done})
}

func completion(a answer) object {
	return choice(a, "text_completion", object{"index": 0, "text": a.text(), "finish_reason": "stop"})
}

func completionEvents(a answer) []event {
	var out []event
	for _, c := range a.chunks {
		out = append(out, event{chunk: true, data: choice(a, "text_completion", object{"index": 0, "text": c, "finish_reason": nil})})
	}
	return append(out, event{data: done})
}

// choice is what OpenAI calls an answer.
func choice(a answer, kind string, c object) object {
	n := len(a.chunks)
	return object{
		"id": "mock", "object": kind, "created": time.Now().Unix(), "model": a.model, "choices": []any{c},
		"usage": object{"prompt_tokens": 1, "completion_tokens": n, "total_tokens": 1 + n},
	}
}

// message is what Anthropic calls an answer.
func message(a answer) object {
	return object{
		"id": "mock", "type": "message", "role": "assistant", "model": a.model,
		"content":     []any{object{"type": "text", "text": a.text()}},
		"stop_reason": "end_turn", "stop_sequence": nil,
		"usage": object{"input_tokens": 1, "output_tokens": len(a.chunks)},
	}
}

func messageEvents(a answer) []event {
	empty := message(answer{model: a.model})
	empty["content"], empty["stop_reason"] = []any{}, nil

	out := []event{
		typed(object{"type": "message_start", "message": empty}),
		typed(object{"type": "content_block_start", "index": 0, "content_block": object{"type": "text", "text": ""}}),
	}
	for _, c := range a.chunks {
		e := typed(object{"type": "content_block_delta", "index": 0, "delta": object{"type": "text_delta", "text": c}})
		e.chunk = true
		out = append(out, e)
	}
	return append(out,
		typed(object{"type": "content_block_stop", "index": 0}),
		typed(object{"type": "message_delta", "delta": object{"stop_reason": "end_turn", "stop_sequence": nil}, "usage": object{"output_tokens": len(a.chunks)}}),
		typed(object{"type": "message_stop"}),
	)
}

// response is what OpenAI's newer API calls an answer.
func response(a answer) object {
	return object{
		"id": "mock", "object": "response", "created_at": time.Now().Unix(), "status": "completed", "model": a.model,
		"output": []any{object{
			"id": "mock", "type": "message", "role": "assistant", "status": "completed",
			"content": []any{object{"type": "output_text", "text": a.text(), "annotations": []any{}}},
		}},
		"usage": object{"input_tokens": 1, "output_tokens": len(a.chunks), "total_tokens": 1 + len(a.chunks)},
	}
}

func responseEvents(a answer) []event {
	begun := response(answer{model: a.model})
	begun["status"], begun["output"] = "in_progress", []any{}

	out := []event{typed(object{"type": "response.created", "response": begun})}
	for _, c := range a.chunks {
		e := typed(object{"type": "response.output_text.delta", "item_id": "mock", "output_index": 0, "content_index": 0, "delta": c})
		e.chunk = true
		out = append(out, e)
	}
	return append(out, typed(object{"type": "response.completed", "response": response(a)}))
}

// typed is an event that is named like its type.
func typed(o object) event {
	name, _ := o["type"].(string)
	return event{name: name, data: o}
}
