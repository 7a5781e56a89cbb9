import { Button } from 'antd'
import { useMutation } from '@tanstack/react-query'
import type { LogRow } from '@tollgate/contract/log'
import { groupedInteger } from '../../../shared/format/money.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { rowsBefore } from '../api.ts'
import type { LogQuery } from '../filters/search.ts'
import { usageLogMessages } from '../i18n.ts'
import { logCsv } from './csv.ts'

interface ExportButtonProps {
  readonly isAdmin: boolean
  readonly query: LogQuery
  readonly isDisabled: boolean
}

const ROWS_MAX = 10_000
const ROWS_AT_ONCE = 100

/** Everything that matches the filters as a file, newest first, up to a bound. */
export function ExportButton({ isAdmin, query, isDisabled }: ExportButtonProps) {
  const t = usageLogMessages.use()
  const { mutate, isPending } = useMutation({
    mutationFn: () => matchingRows({ isAdmin, query }),
    onSuccess: (rows) => {
      saveFile(logCsv(rows))
      const count = groupedInteger(rows.length)
      notifyDone(
        rows.length < ROWS_MAX ? t('export.done', { rows: count }) : t('export.cut', { rows: count }),
      )
    },
  })
  return (
    <Button loading={isPending} disabled={isDisabled} onClick={() => mutate()}>
      {t('export')}
    </Button>
  )
}

async function matchingRows(input: Pick<ExportButtonProps, 'isAdmin' | 'query'>): Promise<readonly LogRow[]> {
  const rows: LogRow[] = []
  while (rows.length < ROWS_MAX) {
    const next = await rowsBefore({ ...input, beforeId: rows.at(-1)?.id, count: ROWS_AT_ONCE })
    rows.push(...next)
    if (next.length < ROWS_AT_ONCE) break
  }
  return rows
}

/** A byte order mark, so that spreadsheets read Chinese. */
const UTF8_MARK = '\uFEFF'

function saveFile(text: string): void {
  const address = URL.createObjectURL(new Blob([UTF8_MARK + text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `usage-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  URL.revokeObjectURL(address)
}
