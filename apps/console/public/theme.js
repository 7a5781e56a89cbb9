// Runs before the first paint, so that a dark console never flashes white. Keys: shared/session/storage.ts.
function stored(key) {
  try {
    return localStorage.getItem(key)
  } catch {
    return null // A browser that refuses storage gets the defaults.
  }
}

const chosen = stored('theme-mode')
const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
document.documentElement.dataset.theme = chosen === 'dark' || chosen === 'light' ? chosen : system

const language = stored('i18nextLng') ?? navigator.language
document.documentElement.lang = language.startsWith('en') ? 'en' : 'zh'
