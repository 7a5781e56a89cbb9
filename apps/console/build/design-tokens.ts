import type { Plugin } from 'vite'
import { tokensStylesheet } from '../src/shared/design/tokens.ts'

const NAME = 'virtual:design-tokens.css'
const FONTS_TO_PRELOAD = [/inter-latin-wght-normal-.*\.woff2$/, /jetbrains-mono-latin-wght-normal-.*\.woff2$/]

/** Serves the design tokens as a style sheet, so that colours are right before the first script runs. */
export function designTokens(): Plugin {
  return {
    name: 'tollgate:design-tokens',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? tokensStylesheet() : undefined),
  }
}

/**
 * Makes the browser request the two latin font files together with the page instead of after the style sheet.
 */
export function preloadFonts(): Plugin {
  return {
    name: 'tollgate:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => FONTS_TO_PRELOAD.some((pattern) => pattern.test(file)))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  }
}
