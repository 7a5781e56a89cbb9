// Which documents become pages of the documentation site, and where their links lead there.
import { posix } from 'node:path'

/** @typedef {ReadonlyMap<string, string>} Pages Markdown by its path in the site, such as `guides/money.md` */

/** Documents outside `docs` that are pages too. */
const FROM_ROOT = {
  'ARCHITECTURE.md': 'architecture.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'report-a-vulnerability.md',
  'CHANGELOG.md': 'changelog.md',
}
/** Links to these lead to another page. */
const INSTEAD = {
  'README.md': 'index.md',
  'docs/guides': 'guides/quick-start.md',
  'docs/reference': 'reference/settings.md',
  'docs/adr': 'adr/0001-one-writer-thread.md',
}
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g
const CODE = /(^```[\s\S]*?^```|`[^`\n]*`)/m

/**
 * The pages: `docs` keeps its folders, `site` gives the front page and the Chinese pages.
 * @param {Iterable<import('../text/files.mjs').TextFile>} files of the repository
 * @param {Pages} generated pages made of code
 * @returns {Pages}
 */
export function sitePages(files, generated) {
  const documents = [...files].filter(({ path }) => pathInSite(path) !== undefined)
  const places = new Set([...documents.map(({ path }) => pathInSite(path)), ...generated.keys()])
  const pages = new Map(generated)
  for (const { path, text } of documents) pages.set(pathInSite(path), withSiteLinks({ path, text }, places))
  return pages
}

/** @param {string} path of a file in the repository */
export function pathInSite(path) {
  if (path in FROM_ROOT) return FROM_ROOT[path]
  const [, place] = /^(?:docs|site)\/(?!README)(.+\.md)$/.exec(path) ?? []
  return place
}

/** Rewrites the links of a document; a link to a file that is no page becomes its name. */
function withSiteLinks({ path, text }, places) {
  return outsideCode(text, (prose) =>
    prose.replaceAll(LINK, (whole, picture, words, target) => {
      if (picture || /^(?:[a-z]+:|#|\/)/.test(target)) return whole
      const [file, fragment] = target.split('#')
      const meant = posix.join(posix.dirname(path), file).replace(/\/$/, '')
      const place = INSTEAD[meant] ?? pathInSite(meant)
      if (place === undefined || !places.has(place)) return words.startsWith('`') ? words : `\`${words}\``
      return `[${words}](/${place}${fragment === undefined ? '' : `#${fragment}`})`
    }),
  )
}

/** @param {string} text @param {(prose: string) => string} change */
function outsideCode(text, change) {
  return text
    .split(new RegExp(CODE, 'gm'))
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')
}

/**
 * Returns one line for each link of a page that leads to no page, and each picture that does not exist.
 * @param {Pages} pages
 * @param {(path: string) => boolean} isAsset whether the site has this picture
 */
export function deadLinks(pages, isAsset) {
  const dead = []
  for (const [path, text] of pages) {
    outsideCode(text, (prose) => {
      for (const [, picture, , target] of prose.matchAll(LINK)) {
        if (/^[a-z]+:/.test(target)) continue
        const [file, fragment] = target.split('#')
        const place = file === '' ? path : placeOf(file, path)
        if (picture ? !isAsset(place) : !pages.has(place)) dead.push(`${path}: nothing at ${target}`)
        else if (fragment !== undefined && !headings(pages.get(place)).includes(fragment))
          dead.push(`${path}: no heading for ${target}`)
      }
      return prose
    })
  }
  return dead
}

/** `/guides/money` and `money.md` both name a page. */
function placeOf(file, from) {
  const place = file.startsWith('/') ? file.slice(1) : posix.join(posix.dirname(from), file)
  if (place === '' || place.endsWith('/')) return `${place}index.md`
  return /\.\w+$/.test(place) ? place : `${place}.md`
}

/** The anchors that VitePress makes of headings of plain words. */
function headings(text = '') {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, words]) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
      .trim()
      .replaceAll(/\s+/g, '-'),
  )
}

/** @param {string} text the title of a page is its first heading */
export function titleOf(text = '') {
  const [, words = ''] = /^# (.+)$/m.exec(text) ?? []
  return words.replaceAll('`', '')
}
