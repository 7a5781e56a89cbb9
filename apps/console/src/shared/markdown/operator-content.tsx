import DOMPurify from 'dompurify'
import { Markdown } from './markdown.tsx'
import styles from './operator-content.module.css'

/** A page the operator wrote: an address is shown in a frame, HTML is cleaned first, anything else is Markdown. */
export function OperatorContent({ text, title }: { readonly text: string; readonly title: string }) {
  const content = text.trim()
  if (/^https:\/\/\S+$/.test(content)) {
    return (
      <iframe
        className={styles.frame}
        src={content}
        title={title}
        sandbox="allow-scripts allow-forms allow-popups"
      />
    )
  }
  return content.startsWith('<') ? <CleanHtml html={content} /> : <Markdown loadsPictures text={content} />
}

/** A line the operator wrote: HTML wherever a tag stands in it, else Markdown. */
export function OperatorLine({ text }: { readonly text: string }) {
  return /<[a-z][^<]*>/i.test(text) ? <CleanHtml html={text} /> : <Markdown loadsPictures text={text} />
}

function CleanHtml({ html }: { readonly html: string }) {
  // oxlint-disable-next-line react/no-danger -- cleaned on the same line
  return <div className={styles.html} dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(html) }} />
}
