import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

/** Set by `npm test` when a Chromium was found or installed. */
export const browserPath = process.env['TOLLGATE_BROWSER'] ?? '/usr/bin/chromium'

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** Without the background flags a browser on a closed network spends its start looking up addresses it cannot reach. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath, args: FLAGS })
}

export interface Visit {
  readonly page: Page
  /** Uncaught errors and console errors of the page, as they happened. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/** A fresh visitor: no storage, the language and theme asked for. */
export async function visit(
  browser: Browser,
  options: { url: string; language?: 'en' | 'zh'; scheme?: 'light' | 'dark' } & Pick<
    BrowserContextOptions,
    'viewport'
  >,
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: options.url,
    viewport: options.viewport ?? desktop,
    colorScheme: options.scheme ?? 'light',
    locale: options.language === 'zh' ? 'zh-CN' : 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const language = options.language ?? 'en'
  await context.addInitScript((value) => {
    if (!localStorage.getItem('i18nextLng')) localStorage.setItem('i18nextLng', value)
  }, language)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  return { page, complaints, close: () => context.close() }
}
