import { existsSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendUnknownPath } from './answer.ts'

export interface ConsoleOptions {
  /** Folder of the built console. */
  readonly path: string
  /** Address of the console when it is hosted elsewhere. */
  readonly redirectTo: string | undefined
}

const YEAR_SECONDS = 31_536_000
const API_PATH = /^\/(?:api|v1|assets)(?:[/?]|$)/

/** Serves the built console. Every path that is neither a file nor an API path is a page of the console. */
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
 * Addresses of the files with a content hash in their names, as they were built when the server started.
 * Browsers cache these files for good, and one page loads dozens of them.
 */
export function hashedFiles({ path, redirectTo }: ConsoleOptions): ReadonlySet<string> {
  const folder = join(path, 'assets')
  if (redirectTo || !existsSync(folder)) return new Set()
  return new Set(readdirSync(folder).map((name) => `/assets/${name}`))
}

/**
 * The file server throws for a path such as `/../x` (403) or `/%00.js` (400). That means the file does not
 * exist; it is not a fault. Fastify's own errors have a `code`, these do not.
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

/**
 * File names under `assets/` contain a hash of their content; every other file may change with the next
 * build.
 */
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
