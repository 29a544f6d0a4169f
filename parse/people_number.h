/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PEOPLE_NUMBER_H
#define PARSE_PEOPLE_NUMBER_H

#define PEOPLE_NUMBER_SIZE 32

/* A number for people: whole with its thousands separated from 100 on ("12,345"), below with three digits ("45.7",
 * "0.0123"), whole numbers without decimals, "-" for NAN. The program must not have called setlocale(). */
void people_number(double value, char text[PEOPLE_NUMBER_SIZE]);

#endif
