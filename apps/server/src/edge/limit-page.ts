import type { Language } from '@tollgate/problems/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'

const TEXTS = {
  en: { title: 'One moment, please', again: 'Try again' },
  zh: { title: '请稍候', again: '重试' },
} as const

const STYLE =
  'body{font:16px/1.6 system-ui,sans-serif;max-width:30rem;margin:20vh auto 0;padding:0 1.5rem}' +
  'h1{font-size:1.375rem;font-weight:600;margin:0 0 .5rem}p{margin:0 0 1.5rem}a{color:inherit}'

/** Whether a person opened this address in a browser. Scripts and programs do not request HTML first. */
export function isPageVisit({ method, headers, routeOptions }: FastifyRequest): boolean {
  if (method !== 'GET' || routeOptions.url?.startsWith('/api/')) return false
  return headers.accept?.startsWith('text/html') ?? false
}

/** Shows a rate-limited visitor when to try again. The link leads to the same address. */
export function sendLimitPage(reply: FastifyReply, input: { text: string; language: Language }): void {
  const { text, language } = input
  const { title, again } = TEXTS[language]
  void reply
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8">` +
        '<meta name="viewport" content="width=device-width,initial-scale=1">' +
        `<meta name="color-scheme" content="light dark"><title>${title}</title><style>${STYLE}</style>` +
        `<h1>${title}</h1><p>${text}</p><p><a href="">${again}</a></p></html>`,
    )
}
