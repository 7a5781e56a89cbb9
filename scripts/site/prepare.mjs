// Writes the pages of the site to `site/.cache/pages`, where VitePress reads them.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../install.mjs'
import { textFiles } from '../text/files.mjs'
import { sitePages } from './pages.mjs'
import { referencePages } from './reference.mjs'
import { sidebarOf } from './sidebar.mjs'
import { withChineseTables } from './zh/tables.mjs'

const cache = join(root, 'site/.cache')
const folder = join(cache, 'pages')

const pages = sitePages(withChineseTables(textFiles()), referencePages())
rmSync(folder, { recursive: true, force: true })
for (const [path, text] of pages) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
for (const place of ['images', 'public/images'])
  cpSync(join(root, 'docs/images'), join(folder, place), { recursive: true })
cpSync(join(root, 'apps/console/public/favicon.svg'), join(folder, 'public/favicon.svg'))
const sidebars = { en: sidebarOf(pages, 'en'), zh: sidebarOf(pages, 'zh') }
writeFileSync(join(cache, 'sidebars.json'), JSON.stringify(sidebars))
