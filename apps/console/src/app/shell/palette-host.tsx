import { lazy, Suspense } from 'react'
import { toggleTheme } from '../../shared/design/theme-mode.ts'
import { type Language, setLanguage, useLanguage } from '../../shared/i18n/language.ts'
import { type PaletteEntry, usePaletteStore } from '../../shared/palette/palette-store.ts'
import type { Feature } from '../../shared/routing/feature.ts'
import { type SessionUser, useSessionUser } from '../../shared/session/session.ts'
import { shellMessages } from './i18n.ts'
import { logOut } from './log-out.ts'
import { mayOpen } from './menu-items.ts'

const PaletteDialog = lazy(async () => ({
  default: (await import('../../shared/palette/palette-dialog.tsx')).PaletteDialog,
}))

/** Shows the command palette. Its code is loaded when the palette is first opened. */
export function PaletteHost({ features }: { readonly features: readonly Feature[] }) {
  const isOpen = usePaletteStore((state) => state.isOpen)
  return isOpen ? <OpenPalette features={features} /> : null
}

function OpenPalette({ features }: { readonly features: readonly Feature[] }) {
  const user = useSessionUser()
  const language = useLanguage()
  const actions = useActions(user)
  const allowed = features.filter((feature) => mayOpen(feature, user))
  const pages = allowed.filter(isPlace).map((feature) => pageEntry(feature, language))
  const finders = allowed.flatMap(({ name, find }) => (find === undefined ? [] : [{ name, find }]))
  return (
    <Suspense fallback={null}>
      <PaletteDialog entries={[...pages, ...actions]} finders={finders} />
    </Suspense>
  )
}

/**
 * Whether the palette may offer the page. It leaves out steps (sign-in, setup) and addresses with a
 * parameter.
 */
function isPlace(feature: Feature): boolean {
  return !feature.path.includes('$') && (feature.menu !== undefined || feature.isListedInPalette === true)
}

function pageEntry(feature: Feature, language: Language): PaletteEntry {
  return {
    key: feature.name,
    title: feature.title[language],
    keywords: `${feature.title.en} ${feature.title.zh} ${feature.path}`,
    icon: feature.menu?.icon,
    to: feature.path,
  }
}

function useActions(user: SessionUser | undefined): readonly PaletteEntry[] {
  const t = shellMessages.use()
  const other: Language = useLanguage() === 'zh' ? 'en' : 'zh'
  return [
    { key: 'theme', title: `${t('theme.toDark')} / ${t('theme.toLight')}`, icon: 'moon', run: toggleTheme },
    {
      key: 'language',
      title: other === 'zh' ? '中文' : 'English',
      icon: 'language',
      run: () => void setLanguage(other),
    },
    ...(user === undefined
      ? []
      : [{ key: 'logout', title: t('logout'), icon: 'logout', run: () => void logOut() } as const]),
  ]
}
