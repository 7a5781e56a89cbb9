import type { ServerResponse } from 'node:http'
import { reportedUsage, toolCallsOf, WORD } from './fake-script.ts'
import type { OpenedCall } from './call-records.ts'
import { completionChunk, doneFrame, errorAnswer, frame, openAiChunk, usageChunk } from './open-ai-answers.ts'

interface Step {
  readonly bytes: string
  /** Number of content tokens in the frame. */
  readonly tokens: number
}

/**
 * Writes the frames of a stream, a few at a time, and records each in the entry once the socket has taken it.
 */
export function streamCall(response: ServerResponse, call: OpenedCall): void {
  const { entry } = call
  entry.status = 200
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const steps = stepsOf(call)
  const cutAt = cutPoint(call, steps.length)
  response.on('finish', () => {
    entry.isComplete = cutAt === undefined
  })
  writeFrom(0)

  function writeFrom(start: number): void {
    for (let index = start; index < steps.length; index++) {
      if (response.destroyed) return
      if (index === cutAt) return cut(response, steps[index]?.bytes ?? '')
      const step = steps[index]
      if (step === undefined) break
      entry.framesSent++
      entry.deliveredTokens += step.tokens
      if (!response.write(step.bytes)) {
        response.once('drain', () => writeFrom(index + 1))
        return
      }
      if (call.delayMs > 0) {
        setTimeout(() => writeFrom(index + 1), call.delayMs)
        return
      }
    }
    response.end()
  }
}

/**
 * Index of the frame in the middle of which a `half-frame` stream is cut; `undefined` when the stream is not
 * cut.
 */
function cutPoint({ entry }: OpenedCall, stepCount: number): number | undefined {
  return entry.fault === 'half-frame' ? Math.max(1, Math.floor(stepCount / 2)) : undefined
}

function cut(response: ServerResponse, bytes: string): void {
  response.write(bytes.slice(0, bytes.length / 2), () => response.socket?.destroy())
}

function stepsOf(call: OpenedCall): readonly Step[] {
  const { entry, choices } = call
  const chosen = Array.from({ length: choices }, (_, index) => choiceSteps(call, index)).flat()
  const early = entry.fault === 'usage-early' ? usageSteps(call) : []
  if (entry.fault === 'error-mid-stream') {
    const half = chosen.slice(0, Math.ceil(chosen.length / 2))
    return [...half, { bytes: frame(errorAnswer(503)), tokens: 0 }]
  }
  return [...early, ...chosen, ...ending(call)]
}

function choiceSteps(call: OpenedCall, index: number): readonly Step[] {
  const { entry, body, tokens, finish } = call
  const { model } = entry
  if (entry.operation === 'completions') return completionSteps(call, index)
  const toolCalls = toolCallsOf(body)
  const first = openAiChunk({ model, index, delta: { role: 'assistant', content: toolCalls ? null : '' } })
  const last = openAiChunk({ model, index, delta: {}, finish: toolCalls ? 'tool_calls' : finish })
  const place = { model, index }
  const content = toolCalls ? toolSteps(place, toolCalls) : textSteps(place, tokens)
  return [{ bytes: first, tokens: 0 }, ...content, { bytes: last, tokens: 0 }]
}

interface Place {
  readonly model: string
  readonly index: number
}

function ending(call: OpenedCall): readonly Step[] {
  const { entry, body } = call
  const isAsked = JSON.stringify(body['stream_options'] ?? {}).includes('"include_usage":true')
  const usage = isAsked && entry.fault !== 'usage-early' ? usageSteps(call) : []
  return [...usage, { bytes: doneFrame, tokens: 0 }]
}

function usageSteps(call: OpenedCall): readonly Step[] {
  const usage = reportedUsage(call)
  return usage === undefined ? [] : [{ bytes: usageChunk(call.entry.model, usage), tokens: 0 }]
}

function textSteps(place: Place, tokens: number): Step[] {
  return Array.from({ length: tokens }, () => ({
    bytes: openAiChunk({ ...place, delta: { content: WORD } }),
    tokens: 1,
  }))
}

/** The arguments of a tool call come in two pieces, as real upstreams split them. */
function toolSteps(place: Place, toolCalls: readonly unknown[]): Step[] {
  return toolCalls.flatMap((toolCall, index) => {
    const whole = JSON.stringify(toolCall)
    const { id, name, text } = partsOf(whole)
    const half = Math.floor(text.length / 2)
    const head = { index, id, type: 'function', function: { name, arguments: text.slice(0, half) } }
    const rest = { index, function: { arguments: text.slice(half) } }
    return [head, rest].map((part) => ({
      bytes: openAiChunk({ ...place, delta: { tool_calls: [part] } }),
      tokens: 1,
    }))
  })
}

function partsOf(toolCall: string): { id: string; name: string; text: string } {
  const parsed: { id: string; function: { name: string; arguments: string } } = JSON.parse(toolCall)
  return { id: parsed.id, name: parsed.function.name, text: parsed.function.arguments }
}

function completionSteps({ entry, tokens, finish }: OpenedCall, index: number): readonly Step[] {
  const { model } = entry
  const texts = Array.from({ length: tokens }, () => ({
    bytes: completionChunk({ model, index, text: WORD }),
    tokens: 1,
  }))
  return [...texts, { bytes: completionChunk({ model, index, text: '', finish }), tokens: 0 }]
}
