import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { desktop, phone, speak, visit, type Visit } from './browser.ts'

/** How a page can look; nothing may break in any look. */
export interface Look {
  readonly viewport: typeof desktop
  readonly scheme: 'light' | 'dark'
  readonly language: 'en' | 'zh'
}

/** The look after each of these is the opposite of it. */
export const looks: readonly Look[] = [
  { viewport: desktop, scheme: 'light', language: 'zh' },
  { viewport: phone, scheme: 'dark', language: 'en' },
  { viewport: desktop, scheme: 'dark', language: 'en' },
  { viewport: phone, scheme: 'light', language: 'zh' },
]

export const oppositeOf = ({ viewport, scheme, language }: Look): Look => ({
  viewport: viewport === phone ? desktop : phone,
  scheme: scheme === 'dark' ? 'light' : 'dark',
  language: language === 'en' ? 'zh' : 'en',
})

export interface Case<One> {
  readonly one: One
  /** The look in which it is loaded. */
  readonly look: Look
}

export const isLong = process.env['TOLLGATE_WALKS'] === 'long'

/**
 * What is loaded in which look: everything in each in the long form. The short form takes turns, so that a page
 * is loaded in the look to which the one before it was changed.
 */
export function casesOf<One>(all: readonly One[]): readonly Case<One>[] {
  if (isLong) return looks.flatMap((look) => all.map((one) => ({ one, look })))
  return all.flatMap((one, index) => looks.slice(index % 2, (index % 2) + 1).map((look) => ({ one, look })))
}

const worn = new WeakMap<Page, Look>()

/** A visitor in the first look, with the storage of the gateway at hand. */
export async function visitInLook(browser: Browser, url: string): Promise<Visit> {
  const visitor = await visit(browser, { url, ...looks[0] })
  await visitor.page.goto('/api/status')
  if (looks[0]) worn.set(visitor.page, looks[0])
  return visitor
}

/** Changes the window, the theme as the system does, and the language as its button does. */
export async function wear({ page, settled }: Visit, look: Look): Promise<void> {
  const now = worn.get(page)
  const isWorn =
    now?.viewport === look.viewport && now.scheme === look.scheme && now.language === look.language
  if (isWorn) return
  worn.set(page, look)
  await page.setViewportSize(look.viewport)
  await page.emulateMedia({ colorScheme: look.scheme })
  if ((await page.locator('header').count()) === 0)
    return page.evaluate((language) => localStorage.setItem('i18nextLng', language), look.language)
  await speak(page, look.language)
  await settled()
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(look.scheme)
}
