import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { ownModelsQuery } from '../../../shared/api/own-queries.ts'
import { CopyableText } from '../../../shared/copy/copy-button.tsx'
import { EmptyState } from '../../../shared/page/empty-state.tsx'
import { QueryFailure } from '../../../shared/page/error-state.tsx'
import { readText, storageKeys, writeText } from '../../../shared/session/storage.ts'
import { personalMessages } from '../i18n/index.ts'
import { Section } from '../../../shared/page/section.tsx'
import styles from './models.module.css'

const SHOWN_FIRST = 10

/** The models that the account may call. A long list is folded; whether it is folded is remembered. */
export function Models() {
  const t = personalMessages.use()
  const models = useQuery(ownModelsQuery)
  const count = models.data?.length ?? 0
  return (
    <Section
      title={t('models.title')}
      purpose={models.data === undefined ? t('models.purpose') : t('models.count', { count })}
    >
      {models.isPending && <Skeleton active paragraph={{ rows: 2 }} title={false} />}
      <QueryFailure query={models} />
      {models.data?.length === 0 && <EmptyState title={t('models.none')} text={t('models.noneText')} />}
      {models.data !== undefined && count > 0 && <ModelList models={models.data} />}
    </Section>
  )
}

function ModelList({ models }: { readonly models: readonly string[] }) {
  const t = personalMessages.use()
  const [isExpanded, setIsExpanded] = useState(() => readText(storageKeys.modelsExpanded) === 'true')
  const isLong = models.length > SHOWN_FIRST
  const shown = isLong && !isExpanded ? models.slice(0, SHOWN_FIRST) : models
  function toggle() {
    writeText(storageKeys.modelsExpanded, String(!isExpanded))
    setIsExpanded(!isExpanded)
  }
  return (
    <>
      <ul className={styles.models}>
        {shown.map((model) => (
          <li key={model} className="code">
            <CopyableText text={model} />
          </li>
        ))}
      </ul>
      {isLong && (
        <Button type="link" className={styles.toggle} aria-expanded={isExpanded} onClick={toggle}>
          {isExpanded ? t('word.fewer') : t('models.more', { count: models.length - SHOWN_FIRST })}
        </Button>
      )}
    </>
  )
}
