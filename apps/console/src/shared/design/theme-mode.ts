import { create } from 'zustand'
import { readText, removeKey, storageKeys, writeText } from '../session/storage.ts'
import type { ThemeName } from './tokens.ts'

export type ThemeMode = ThemeName | 'system'

interface ThemeState {
  readonly mode: ThemeMode
  readonly system: ThemeName
}

const darkQuery = globalThis.matchMedia?.('(prefers-color-scheme: dark)')

const useThemeStore = create<ThemeState>(() => ({ mode: storedMode(), system: systemTheme() }))

useThemeStore.subscribe((state) => {
  document.documentElement.dataset['theme'] = resolve(state)
})

darkQuery?.addEventListener('change', () => useThemeStore.setState({ system: systemTheme() }))

/** The theme on screen now. */
export function useTheme(): ThemeName {
  return useThemeStore(resolve)
}

/** Follows the system until the user chooses; choosing what the system has already goes back to following it. */
export function toggleTheme(): void {
  const state = useThemeStore.getState()
  const next = resolve(state) === 'dark' ? 'light' : 'dark'
  if (next === state.system) removeKey(storageKeys.themeMode)
  else writeText(storageKeys.themeMode, next)
  useThemeStore.setState({ mode: next === state.system ? 'system' : next })
}

/** What was chosen, `system` when nothing was. */
export function useThemeMode(): ThemeMode {
  return useThemeStore((state) => state.mode)
}

export function setThemeMode(mode: ThemeMode): void {
  if (mode === 'system') removeKey(storageKeys.themeMode)
  else writeText(storageKeys.themeMode, mode)
  useThemeStore.setState({ mode })
}

function resolve(state: ThemeState): ThemeName {
  return state.mode === 'system' ? state.system : state.mode
}

function storedMode(): ThemeMode {
  const stored = readText(storageKeys.themeMode)
  return stored === 'dark' || stored === 'light' ? stored : 'system'
}

function systemTheme(): ThemeName {
  return darkQuery?.matches ? 'dark' : 'light'
}
