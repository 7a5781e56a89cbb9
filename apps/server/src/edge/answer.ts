import { Readable } from 'node:stream'
import type { Envelope } from '@tollgate/contract/route'
import { Problem, problem } from '@tollgate/problems/problem'
import type { Language } from '@tollgate/problems/problem'
import { requestLanguage } from '@tollgate/problems/request-language'
import { StoreError } from '@tollgate/store/database/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileAnswer } from '../services/handler.ts'
import { isPageVisit, sendLimitPage } from './limit-page.ts'

/** The part of the process log that the edge uses. */
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

/**
 * Streams a file while it is being generated, no faster than the client reads it. An error half way breaks
 * the connection off, so a download that completes is complete.
 */
export function sendFile(reply: FastifyReply, { name, type, text }: FileAnswer): FastifyReply {
  return reply
    .header('cache-control', NO_STORE)
    .header('content-type', `${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .send(Readable.from(text))
}

/**
 * Renders an error thrown on an `/api` route. An error that is not a `Problem` is a bug: the log gets it in
 * full, the response only its id.
 */
export function sendFailure(
  reply: FastifyReply,
  input: { error: unknown; request: FastifyRequest; log: EdgeLog },
): void {
  const { request, log } = input
  const known = problemOf(input.error)
  if (!known || isOutOfReach(input.error))
    log.error(
      { err: input.error, errorId: request.id, route: request.routeOptions.url },
      known
        ? 'the database did not answer an admin API request'
        : 'unexpected error while answering an admin API request',
    )
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

/** Errors for a body that could not be parsed. */
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

/**
 * Uses the error format of the route's envelope. Refusals with a status other than 200, such as a missing
 * sign-in, look the same on `message` routes as everywhere else.
 */
function sendRefusal(reply: FastifyReply, { shown, status, text, envelope }: Refusal): void {
  const isWord = status === 200
  if (envelope === 'text') void reply.type('text/plain; charset=utf-8').send('fail')
  else if (envelope === 'message' && isWord)
    void reply.send({ message: 'error', data: text, code: shown.code })
  else if (envelope === 'code')
    void reply.send({ code: false, success: false, message: text, error: shown.code })
  else void reply.send({ success: false, message: text, code: shown.code })
}

/** The envelope that `mount.ts` stored in the route's config. */
function envelopeOf({ routeOptions }: FastifyRequest): Envelope | undefined {
  const { config } = routeOptions
  const { envelope } = 'envelope' in config ? config : { envelope: undefined }
  return envelope === 'message' || envelope === 'text' || envelope === 'code' ? envelope : undefined
}

export function languageOfRequest(request: FastifyRequest): Language {
  return requestLanguage(request.headers)
}

/** The response that new-api gives for an unknown path; caches must not store it. */
export function sendUnknownPath(request: FastifyRequest, reply: FastifyReply): void {
  const message = `Invalid URL (${request.method} ${request.url})`
  void reply
    .code(404)
    .header('cache-control', NO_STORE)
    .send({ error: { message, type: 'invalid_request_error', param: '', code: '' } })
}

/** Maps error codes of Fastify to our problem codes. */
const FRAMEWORK_PROBLEMS = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_exceeds_cap',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'body_type_unsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body_not_json',
} as const

function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof StoreError && error.kind === 'full') return problem('disk_full', {}, { cause: error })
  if (isOutOfReach(error)) return problem('database_unreachable', {}, { cause: error })
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return isFrameworkCode(code) ? problem(FRAMEWORK_PROBLEMS[code]) : undefined
}

/** A server that went away, or locks of another program: what was asked for may work in a moment. */
function isOutOfReach(error: unknown): boolean {
  return error instanceof StoreError && (error.kind === 'unreachable' || error.kind === 'busy')
}

function isFrameworkCode(code: unknown): code is keyof typeof FRAMEWORK_PROBLEMS {
  return typeof code === 'string' && Object.hasOwn(FRAMEWORK_PROBLEMS, code)
}
