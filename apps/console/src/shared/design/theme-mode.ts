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

/** The theme currently on screen. */
export function useTheme(): ThemeName {
  return useThemeStore(resolve)
}

/**
 * Switches the theme. The system's theme is followed until the user chooses; choosing the same theme as the
 * system returns to following it.
 */
export function toggleTheme(): void {
  const state = useThemeStore.getState()
  const next = resolve(state) === 'dark' ? 'light' : 'dark'
  if (next === state.system) removeKey(storageKeys.themeMode)
  else writeText(storageKeys.themeMode, next)
  useThemeStore.setState({ mode: next === state.system ? 'system' : next })
}

/** The chosen theme; `system` if none was chosen. */
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
