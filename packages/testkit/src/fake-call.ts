import type { ServerResponse } from 'node:http'
import type { OpenedCall } from './call-records.ts'
import { outputTokensOf, reportedUsage, toolCallsOf, WORD } from './fake-script.ts'
import { streamCall } from './fake-stream.ts'
import {
  chatAnswer,
  completionAnswer,
  embeddingsAnswer,
  errorAnswer,
  moderationsAnswer,
} from './open-ai-answers.ts'

const SLOW_MS = 200

/** Responds to one call according to its fault, and records in its entry what was sent. */
export function answerCall(response: ServerResponse, call: OpenedCall): void {
  const { entry, delayMs } = call
  response.on('error', () => undefined)
  response.on('close', () => {
    if (!response.writableFinished) entry.isCutByPeer = true
  })
  const waitMs = entry.fault === 'slow' ? SLOW_MS : delayMs
  if (waitMs === 0) answer(response, call)
  else setTimeout(() => answer(response, call), waitMs)
}

function answer(response: ServerResponse, call: OpenedCall): void {
  const { entry } = call
  if (response.destroyed) return
  if (entry.fault !== undefined && answerFault(response, call)) return
  if (entry.isStream) streamCall(response, call)
  else answerWhole(response, call)
}

/** Handles the faults that replace the response. Returns false when a normal response has to follow. */
function answerFault(response: ServerResponse, call: OpenedCall): boolean {
  const { entry } = call
  const status = /^status-(\d+)$/.exec(entry.fault ?? '')?.[1]
  if (status !== undefined) {
    send(response, call, { status: Number(status), body: JSON.stringify(errorAnswer(Number(status))) })
    return true
  }
  return broken(response, call)
}

const brokenBodies: Readonly<Record<string, { type?: string; body: string }>> = {
  html: { type: 'text/html', body: '<html><body>Bad gateway at https://10.0.0.7/</body></html>' },
  garbage: { body: '{"id":"x","choices":[{"index":' },
  empty: { body: '' },
  'error-inside': { body: JSON.stringify(errorAnswer(503)) },
}

function broken(response: ServerResponse, call: OpenedCall): boolean {
  const { entry } = call
  const whole = brokenBodies[entry.fault ?? '']
  if (whole) send(response, call, whole)
  else if (entry.fault === 'reset-before-head') response.socket?.resetAndDestroy()
  else if (entry.fault === 'reset-after-head') resetAfterHead(response, call)
  else return entry.fault === 'hang'
  return true
}

function resetAfterHead(response: ServerResponse, { entry }: OpenedCall): void {
  entry.status = 200
  response.writeHead(200, { 'content-type': entry.isStream ? 'text/event-stream' : 'application/json' })
  response.flushHeaders()
  setTimeout(() => response.socket?.resetAndDestroy(), 5)
}

function send(
  response: ServerResponse,
  { entry }: OpenedCall,
  { status = 200, type = 'application/json', body }: { status?: number; type?: string; body: string },
): void {
  entry.status = status
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function answerWhole(response: ServerResponse, call: OpenedCall): void {
  const { entry } = call
  const body = JSON.stringify(wholeAnswer(call))
  response.on('finish', () => {
    entry.isComplete = true
  })
  entry.deliveredTokens = outputTokensOf(call)
  send(response, call, { body: entry.fault === 'half-frame' ? body.slice(0, body.length / 2) : body })
}

function wholeAnswer(call: OpenedCall): Record<string, unknown> {
  const { entry, body, tokens, choices, finish } = call
  const { model } = entry
  const usage = reportedUsage(call)
  const optional = usage && { usage }
  if (entry.operation.endsWith('embeddings')) {
    const { input } = body
    return embeddingsAnswer({
      model,
      count: Array.isArray(input) ? input.length : 1,
      ...(usage && { promptTokens: usage.promptTokens }),
    })
  }
  if (entry.operation === 'moderations') return moderationsAnswer(model)
  const text = WORD.repeat(tokens)
  if (entry.operation === 'completions')
    return completionAnswer({ model, text, choices, finish, ...optional })
  const toolCalls = toolCallsOf(body)
  return chatAnswer({ model, text, choices, finish, ...(toolCalls && { toolCalls }), ...optional })
}
