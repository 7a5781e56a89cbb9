import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useRef } from 'react'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { MenuOnDemand } from '../../../shared/on-demand/menu-on-demand.tsx'
import type { LogQuery } from '../filters/search.ts'
import { usageLogMessages } from '../i18n/index.ts'
import { downloadLogs, type ExportFormat } from './download.ts'

interface ExportButtonProps {
  readonly isAdmin: boolean
  readonly query: LogQuery
  readonly isDisabled: boolean
}

const FORMATS = ['csv', 'jsonl'] as const satisfies readonly ExportFormat[]

/**
 * Downloads all rows that match the filters, newest first. The download stops when the reader leaves the page
 * or cancels it.
 */
export function ExportButton({ isAdmin, query, isDisabled }: ExportButtonProps) {
  const t = usageLogMessages.use()
  const underWay = useRef<AbortController>(undefined)
  useEffect(() => () => underWay.current?.abort(), [])
  const { mutate, isPending } = useMutation({
    mutationFn: async (format: ExportFormat) => {
      const abort = new AbortController()
      underWay.current = abort
      try {
        return await downloadLogs({ isAdmin, query, format, signal: abort.signal })
      } catch (error) {
        if (abort.signal.aborted) return false
        throw error
      }
    },
    onSuccess: (isDone) => isDone && notifyDone(t('export.done')),
  })
  if (isPending) return <Button onClick={() => underWay.current?.abort()}>{t('export.stop')}</Button>
  return (
    <MenuOnDemand
      isDisabled={isDisabled}
      items={FORMATS.map((key) => ({ key, label: t(`export.${key}`), onClick: () => mutate(key) }))}
    >
      <Button disabled={isDisabled}>{t('word.export')}</Button>
    </MenuOnDemand>
  )
}
