import type { Page } from 'playwright-core'

/** A page whose parts move less far than this is read without losing one's place. */
export const SHIFT_MAX = 0.05

/** Adds up, from the first paint of every page to come, the share of the screen that moved unasked, and how far. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(globalThis, { shifted: 0 })
    new PerformanceObserver((list) => {
      const shifts: readonly (PerformanceEntry & { hadRecentInput?: boolean; value?: number })[] =
        list.getEntries()
      for (const { hadRecentInput, value = 0 } of shifts)
        if (hadRecentInput !== true)
          Reflect.set(globalThis, 'shifted', Reflect.get(globalThis, 'shifted') + value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

export async function layoutShift(page: Page): Promise<number> {
  const shifted: unknown = await page.evaluate(async () => {
    // Shifts of the last frame are reported in the next one.
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
    return Reflect.get(globalThis, 'shifted')
  })
  if (typeof shifted !== 'number') throw new Error('nobody watched what moves')
  return shifted
}
