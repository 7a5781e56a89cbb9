import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendUnknownPath } from './answer.ts'

export interface ConsoleOptions {
  /** Folder of the built console. */
  readonly path: string
  /** Where the console lives instead, if it does. */
  readonly redirectTo: string | undefined
}

const YEAR_SECONDS = 31_536_000
const API_PATH = /^\/(?:api|v1|assets)(?:[/?]|$)/

/** Serves the built console; every path that is no file and no API is a page of the console. */
export async function serveConsole(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const isBuilt = !options.redirectTo && existsSync(join(options.path, 'index.html'))
  if (isBuilt) await addFiles(app, options.path)
  app.setNotFoundHandler((request, reply) => {
    if (API_PATH.test(request.url) || !isPageRequest(request)) return sendUnknownPath(request, reply)
    if (options.redirectTo) return void reply.redirect(options.redirectTo + request.url, 301)
    return isBuilt ? void reply.sendFile('index.html') : sendNotBuilt(reply)
  })
}

/**
 * Addresses of the files whose names carry a hash of their content, as the console was built when the server started.
 * Browsers keep these for good, and one page loads dozens.
 */
export function hashedFiles({ path, redirectTo }: ConsoleOptions): ReadonlySet<string> {
  const folder = join(path, 'assets')
  if (redirectTo || !existsSync(folder)) return new Set()
  return new Set(readdirSync(folder).map((name) => `/assets/${name}`))
}

/**
 * What the file server says to a path such as `/../x` (403) or `/%00.js` (400): there is no such file, and nothing is
 * broken. Errors of the web framework have a `code`, these do not.
 */
export function isRefusedPath(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false
  return error.statusCode === 403 || (error.statusCode === 400 && !('code' in error))
}

async function addFiles(app: FastifyInstance, path: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: path,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (reply, file) => {
      void reply.header('cache-control', cachingOf(file))
    },
  })
}

/** Names under `assets/` carry a hash of their content; everything else may change with the next build. */
function cachingOf(file: string): string {
  return file.includes(`${sep}assets${sep}`) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache'
}

function isPageRequest(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

function sendNotBuilt(reply: FastifyReply): void {
  void reply
    .code(503)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(
      '<!doctype html><meta charset="utf-8"><title>Tollgate</title>' +
        '<h1>The console is not built</h1><p>Run <code>npm run build</code> and start again. ' +
        'The API is running: <a href="/docs">its documentation</a>.</p>',
    )
}
