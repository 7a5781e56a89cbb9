import type { ComponentProps, ReactNode } from 'react'
import ReactMarkdown, { type Components, defaultUrlTransform } from 'react-markdown'
import rehypeHighlight from 'rehype-highlight'
import remarkGfm from 'remark-gfm'
import { copyText } from '../copy/copy.ts'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { codeTextOf } from './code-text.ts'
import { Picture } from './picture.tsx'
import './code-colours.css'
import styles from './markdown.module.css'

type Plugins = NonNullable<ComponentProps<typeof ReactMarkdown>['rehypePlugins']>

export interface MarkdownPlugins {
  readonly remark: Plugins
  readonly rehype: Plugins
}

interface MarkdownProps {
  readonly text: string
  /** Additional Markdown plugins. Pass the same object each time, otherwise everything is rendered again. */
  readonly plugins?: MarkdownPlugins
  /**
   * Loads images from any host at once. Only for the operator's texts; elsewhere an image is loaded after a
   * click.
   */
  readonly loadsPictures?: boolean
}

/**
 * Renders text from a model or an operator as Markdown. Raw HTML is shown as text unless a plugin handles it;
 * links open in a new tab.
 */
export function Markdown({ text, plugins, loadsPictures = false }: MarkdownProps) {
  return (
    <div className={styles.markdown}>
      <ReactMarkdown
        remarkPlugins={plugins ? [...remarkPlugins, ...plugins.remark] : remarkPlugins}
        rehypePlugins={plugins ? [...rehypePlugins, ...plugins.rehype] : rehypePlugins}
        components={loadsPictures ? operatorComponents : components}
        urlTransform={safeAddress}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}

const remarkPlugins: Plugins = [remarkGfm]
const rehypePlugins: Plugins = [[rehypeHighlight, { detect: false, ignoreMissing: true }]]

/** Data URLs of image formats that cannot contain a script. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i

/** Allows inline images; for everything else the library's default applies. */
function safeAddress(address: string, name: string): string {
  return name === 'src' && PICTURE.test(address) ? address : defaultUrlTransform(address)
}

const operatorComponents: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    <div className={styles.tableFrame}>
      <table>{children}</table>
    </div>
  ),
}

const components: Components = {
  ...operatorComponents,
  img: ({ src, alt = '' }) =>
    typeof src === 'string' && src !== '' ? <Picture address={src} description={alt} /> : <>{alt}</>,
}

function CodeBlock({ children }: { readonly children?: ReactNode }) {
  const t = sharedMessages.use()
  const { text, language } = codeTextOf(children)
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{language}</span>
        <button type="button" onClick={() => void copyText(text)}>
          {t('code.copy')}
        </button>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, so the keys must reach it */}
      <pre tabIndex={0}>{children}</pre>
    </figure>
  )
}
