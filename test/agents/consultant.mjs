// Learns its domain and answers each question that it is asked.
import { done, walk } from './step-by-step.mjs'

walk({
  onboarding: () => done('fed', 'report', 'domain-mapped', '--body', 'src/app.ts'),
  indexing() {
    done('fed', 'learn', '--category', 'pattern', 'the answer is a constant')
    done('fed', 'report', 'index-built')
  },
  researching: ({ question }) =>
    done('fed', 'report', 'answer', '--body', `You asked "${question.subject}": it is 42`),
})
