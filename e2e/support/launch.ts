import { chromium, type Browser } from 'playwright-core'

/** Set by `npm test` when a Chromium was found or installed. */
const browserPath = process.env['TOLLGATE_BROWSER'] ?? '/usr/bin/chromium'

/**
 * Without the flags against background networking, a browser without Internet access spends its start looking
 * up unreachable addresses.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page does not live long enough to pay for optimised code: a load takes 0.43 s of CPU time instead of 0.54 s.
  '--js-flags=--no-opt --no-maglev',
]

let running: Promise<Browser> | undefined

/**
 * The browser of this worker. The test files share it, because a start takes more than two seconds of CPU
 * time; each opens its own visits.
 */
export async function launchBrowser(): Promise<Browser> {
  running ??= chromium.launch({ executablePath: browserPath, args: FLAGS })
  const browser = await running
  if (browser.isConnected()) return browser
  running = undefined
  return launchBrowser()
}

/** Vitest calls this before the worker ends. */
export async function endBrowser(): Promise<void> {
  await (await running)?.close()
}

/** Ends all visits, so that the next test file finds the browser as after its start. */
export async function endVisits(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
}
