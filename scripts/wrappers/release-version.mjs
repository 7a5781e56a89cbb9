import { fail } from '../install.mjs'

/** Semantic versioning: https://semver.org, without build metadata, which npm ignores. */
const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/

/**
 * Ends the program unless the version is a semantic one and the changelog has a section for it with upgrade notes.
 * @param {string} version
 * @param {string} changelog
 */
export function requireRelease(version, changelog) {
  const why = reasonAgainst(version, changelog)
  if (why) fail(why)
}

/** @returns {string | undefined} */
export function reasonAgainst(version, changelog) {
  if (!SEMVER.test(version)) return `${version} is no semantic version.`
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`${version} `))
  if (!section) return `CHANGELOG.md has no section for ${version}.`
  const notes = /^### Upgrade notes$([\s\S]*?)(?=^### |(?![\s\S]))/m.exec(section)?.[1] ?? ''
  const missing = ['From', 'To', 'Takes about', 'Can it go back'].filter(
    (row) => !notes.includes(`| ${row} |`),
  )
  return missing.length === 0
    ? undefined
    : `The upgrade notes of ${version} do not say: ${missing.join(', ')} (see docs/guides/upgrade.md).`
}
