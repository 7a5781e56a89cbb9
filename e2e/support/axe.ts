import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Serious accessibility violations of the page in its current state: the rule and the element. If a dialog is
 * open, only it is checked: it covers the page, which is checked on its own. Checks all rules unless `rules`
 * names some. No serious rule that is on needs preloaded style sheets or media.
 */
export async function seriousViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  return page.evaluate(async (only) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the script above defines it
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          context: Node,
          options: object,
        ): Promise<{ violations: { id: string; impact: string; nodes: { target: string[] }[] }[] }>
      }
    }
    const dialogs = [...document.querySelectorAll('[role=dialog], dialog[open]')]
    const dialog = dialogs.findLast((element) => element.checkVisibility())
    const { violations } = await axe.run(dialog ?? document, {
      resultTypes: ['violations'],
      preload: false,
      ...(only && { runOnly: only }),
    })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, rules)
}
