// Fills the places for tables in Chinese pages with the translated tables of the English page of the same name.
import { dialectWords } from './words/dialects.mjs'
import { feeWords } from './words/fees.mjs'
import { memberWords } from './words/members.mjs'
import { metricWords } from './words/metrics.mjs'
import { modelWords } from './words/models.mjs'
import { providerWords } from './words/providers.mjs'
import { settingWords } from './words/settings.mjs'
import { translateBlock } from './translate.mjs'

/** `<!-- table: | variable -->` is the table or list of the English page whose first line begins with that text. */
const PLACE = /^<!-- table: (.+) -->$/gm
/** Lines of a table, or of a list of names. */
const BLOCK = /^(?:\|.*|- `[^`\n]+`: .*)$(?:\n(?:\|.*|- `[^`\n]+`: .*)$)*/gm

/** @type {Readonly<Record<string, import('./translate.mjs').Words>>} */
export const tableWords = {
  'reference/settings.md': settingWords,
  'reference/fees.md': feeWords,
  'reference/members.md': memberWords,
  'reference/metrics.md': metricWords,
  'reference/models.md': modelWords,
  'reference/providers.md': providerWords,
  'reference/dialects.md': dialectWords,
}

/**
 * Returns the files, with the tables in the Chinese pages.
 * @param {Iterable<import('../../text/files.mjs').TextFile>} files of the repository
 */
export function withChineseTables(files) {
  const all = [...files]
  return all.map((file) => ({ ...file, text: fillTables(file, all).text }))
}

/**
 * @param {import('../../text/files.mjs').TextFile} file
 * @param {readonly import('../../text/files.mjs').TextFile[]} files
 * @returns {{ text: string, missing: string[], used: Set<string> }} what has no Chinese words, and which words are used
 */
export function fillTables({ path, text }, files) {
  const missing = []
  const used = new Set()
  if (!path.startsWith('site/zh/')) return { text, missing, used }
  const name = path.slice('site/zh/'.length)
  const english = files.find((file) => file.path === `docs/${name}`)?.text ?? ''
  const filled = text.replaceAll(PLACE, (place, start) => {
    const block = english.match(BLOCK)?.find((each) => each.startsWith(start))
    if (block === undefined) {
      missing.push(place)
      return ''
    }
    const translated = translateBlock(block, tableWords[name] ?? {})
    missing.push(...translated.missing)
    for (const each of translated.used) used.add(each)
    return translated.text
  })
  return { text: filled, missing, used }
}
