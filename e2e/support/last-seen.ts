import type { Page } from 'playwright-core'

const ASKED_MAX = 60
const SHOWN_MAX = 4_000

interface Seen {
  readonly page: Page
  readonly asked: string[]
}

const isAsset = (url: string): boolean => new URL(url).pathname.startsWith('/assets/')

const open = new Set<Seen>()

/** Records the page from now on, until it closes. */
export function remember(page: Page): void {
  const seen: Seen = { page, asked: [] }
  open.add(seen)
  page.once('close', () => open.delete(seen))
  const note = (line: string): void => {
    seen.asked.push(`${new Date().toISOString().slice(11, 23)} ${line}`)
    if (seen.asked.length > ASKED_MAX) seen.asked.shift()
  }
  page.on('framenavigated', (frame) => note(`at ${frame.url()}`))
  page.on('request', (request) => {
    if (!isAsset(request.url())) note(`${request.method()} ${request.url()}`)
  })
  page.on('requestfailed', (request) => note(`failed ${request.url()}: ${request.failure()?.errorText}`))
  page.on('response', (response) => {
    if (!isAsset(response.url())) note(`${response.status()} ${response.url()}`)
  })
}

/** Prints what the open pages show and what they requested. */
export async function printLastSeen(): Promise<void> {
  for (const seen of open) process.stdout.write(`${await describePage(seen)}\n`)
}

async function describePage({ page, asked }: Seen): Promise<string> {
  const shown = await page
    .locator('body')
    .innerText({ timeout: 5_000 })
    .catch((error: unknown) => `(cannot be read: ${String(error)})`)
  const title = `LAST SEEN at ${page.url()}, ${new Date().toISOString().slice(11, 23)}`
  return [title, ...asked.map((line) => `  ${line}`), shown.slice(0, SHOWN_MAX)].join('\n')
}
