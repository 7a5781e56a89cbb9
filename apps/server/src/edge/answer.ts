import { Readable } from 'node:stream'
import type { Envelope } from '@tollgate/contract/route'
import { Problem, problem } from '@tollgate/kit/problem'
import type { Language } from '@tollgate/kit/problem'
import { requestLanguage } from '@tollgate/kit/request-language'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileAnswer } from '../services/handler.ts'
import { isPageVisit, sendLimitPage } from './limit-page.ts'

/** What the edge needs of the process log. */
export interface EdgeLog {
  error(details: Readonly<Record<string, unknown>>, message: string): void
}

const NO_STORE = 'no-store'

export function sendSuccess(
  reply: FastifyReply,
  body: { envelope: Envelope | undefined; data: unknown; message: string; extra: object },
): FastifyReply {
  const { envelope, data, message, extra } = body
  void reply.header('cache-control', NO_STORE)
  if (envelope === 'text') return reply.type('text/plain; charset=utf-8').send(String(data))
  if (envelope === 'message') return reply.send({ message: 'success', data, ...extra })
  if (envelope === 'code') return reply.send({ code: true, message: 'ok', data, ...extra })
  return reply.send({ success: true, message, data, ...extra })
}

/** Sends a file as it is made, no faster than it is read. What goes wrong half way breaks the connection off: a file that arrives is whole. */
export function sendFile(reply: FastifyReply, { name, type, text }: FileAnswer): FastifyReply {
  return reply
    .header('cache-control', NO_STORE)
    .header('content-type', `${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .send(Readable.from(text))
}

/** Renders what was thrown on an `/api` route. What is no Problem is a bug: logged whole, told by its id alone. */
export function sendFailure(
  reply: FastifyReply,
  input: { error: unknown; request: FastifyRequest; log: EdgeLog },
): void {
  const { request, log } = input
  const known = problemOf(input.error)
  if (!known) log.error({ err: input.error, errorId: request.id, route: request.routeOptions.url }, 'bug')
  const shown = known ?? problem('bug_reported', { id: request.id })
  const seconds = shown.parameter('seconds')
  if (shown.definition.adminStatus === 429 && seconds !== '') void reply.header('retry-after', seconds)
  const status = statusOf(shown, request)
  void reply.code(status).header('cache-control', NO_STORE)
  const language = languageOfRequest(request)
  const text = shown.textIn(language)
  if (shown.code === 'too_many_requests' && isPageVisit(request)) sendLimitPage(reply, { text, language })
  else sendRefusal(reply, { shown, status, text, envelope: envelopeOf(request) })
}

/** Of a body that could not be read. */
const BAD_BODY: ReadonlySet<string> = new Set(['body_not_json', 'input_invalid'])

function statusOf({ code, definition }: Problem, { routeOptions: { config } }: FastifyRequest): number {
  const status = definition.adminStatus ?? 200
  if (!BAD_BODY.has(code) || !('badBodyStatus' in config)) return status
  return typeof config.badBodyStatus === 'number' ? config.badBodyStatus : status
}

interface Refusal {
  readonly shown: Problem
  readonly status: number
  readonly text: string
  readonly envelope: Envelope | undefined
}

/** In the words of the route's envelope; who may not call it at all is told so as everywhere. */
function sendRefusal(reply: FastifyReply, { shown, status, text, envelope }: Refusal): void {
  const isWord = status === 200
  if (envelope === 'text') void reply.type('text/plain; charset=utf-8').send('fail')
  else if (envelope === 'message' && isWord)
    void reply.send({ message: 'error', data: text, code: shown.code })
  else if (envelope === 'code')
    void reply.send({ code: false, success: false, message: text, error: shown.code })
  else void reply.send({ success: false, message: text, code: shown.code })
}

/** What `mount.ts` noted of the route. */
function envelopeOf({ routeOptions }: FastifyRequest): Envelope | undefined {
  const { config } = routeOptions
  const { envelope } = 'envelope' in config ? config : { envelope: undefined }
  return envelope === 'message' || envelope === 'text' || envelope === 'code' ? envelope : undefined
}

export function languageOfRequest(request: FastifyRequest): Language {
  return requestLanguage(request.headers)
}

/** The family's answer for a path that does not exist; never kept by a cache. */
export function sendUnknownPath(request: FastifyRequest, reply: FastifyReply): void {
  const message = `Invalid URL (${request.method} ${request.url})`
  void reply
    .code(404)
    .header('cache-control', NO_STORE)
    .send({ error: { message, type: 'invalid_request_error', param: '', code: '' } })
}

/** The web framework's own refusals, as problems of ours. */
const FRAMEWORK_PROBLEMS = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_exceeds_cap',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'body_type_unsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body_not_json',
} as const

function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return isFrameworkCode(code) ? problem(FRAMEWORK_PROBLEMS[code]) : undefined
}

function isFrameworkCode(code: unknown): code is keyof typeof FRAMEWORK_PROBLEMS {
  return typeof code === 'string' && Object.hasOwn(FRAMEWORK_PROBLEMS, code)
}
