import * as z from 'zod/mini'
import { en } from 'zod/locales'

// the small build of zod, half the cold start of a command, brings no words for what is wrong
z.config(en())
