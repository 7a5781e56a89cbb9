import type { Page } from 'playwright-core'

/** Maximum layout shift at which a reader does not lose the place. */
export const SHIFT_MAX = 0.05

/**
 * Sums the browser's layout-shift scores of every page from its first paint, without shifts caused by user
 * input.
 */
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
